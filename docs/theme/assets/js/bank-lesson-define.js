/** Registers <bank-lesson>; importing the class alone does not. */
import { BankLessonElement } from "./bank-lesson-element.js";

if (!customElements.get("bank-lesson")) customElements.define("bank-lesson", BankLessonElement);
