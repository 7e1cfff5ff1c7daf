import numpy as np

from attention_core import bank, online_softmax_attention

trace = bank.lesson("river")
n, d = trace.query.shape


def cost(n, d):
    """Count the direct form: products for the scores, entries of the matrix, products to mix."""
    return n * n * d, n * n, n * n * d


print("tokens  products   entries  products")
print("        (scores)  (matrix)     (mix)")
for tokens in (n, 2 * n, 1000, 2000):
    print("{:6d}  {:8d}  {:8d}  {:8d}".format(tokens, *cost(tokens, d)))
print("entries in the matrix of the lesson:", trace.weights.size)

blockwise = online_softmax_attention(trace.query, trace.key, trace.value, block_size=2)
print("block by block, the same output:", np.allclose(blockwise, trace.output, rtol=0, atol=1e-12))
