import numpy as np

from attention_core import scaled_dot_product_attention

words = ["Alex", "gave", "Sam", "the", "notebook"]
swapped = ["Sam", "gave", "Alex", "the", "notebook"]

rng = np.random.default_rng(0)
embedding = {word: rng.normal(size=4) for word in words}
positions = rng.normal(size=(5, 4))


def gave_after_attention(sentence, positions):
    tokens = np.array([embedding[word] for word in sentence]) + positions
    return scaled_dot_product_attention(tokens, tokens, tokens)[sentence.index("gave")]


for name, added in (("without positions", np.zeros((5, 4))), ("with positions", positions)):
    one, other = gave_after_attention(words, added), gave_after_attention(swapped, added)
    print(f"{name:17s} gave is the same:", np.allclose(one, other, rtol=0, atol=1e-12))
