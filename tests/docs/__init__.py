"""The promises of the pages: what they print, include, link and say in both languages."""
