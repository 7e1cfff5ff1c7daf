import numpy as np

from attention_core import scaled_dot_product_attention

rng = np.random.default_rng(0)
tokens = rng.normal(size=(5, 4))
changed = tokens.copy()
changed[3:] = rng.normal(size=(2, 4))  # another future: tokens 4 and 5 replaced

for is_causal in (True, False):
    before = scaled_dot_product_attention(tokens, tokens, tokens, is_causal=is_causal)
    after = scaled_dot_product_attention(changed, changed, changed, is_causal=is_causal)
    print("causal" if is_causal else "unmasked")
    print("  tokens 1 to 3 unchanged:", np.array_equal(before[:3], after[:3]))
    print("  tokens 4 to 5 unchanged:", np.array_equal(before[3:], after[3:]))
