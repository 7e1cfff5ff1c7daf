import numpy as np

from attention_core import softmax

symmetric = np.array([[2.0, 1.0], [1.0, 2.0]])
asymmetric = np.array([[2.0, 1.0], [0.0, 2.0]])

for name, scores in (("symmetric", symmetric), ("asymmetric", asymmetric)):
    right = softmax(scores, axis=-1)  # over the keys
    wrong = softmax(scores, axis=-2)  # over the queries
    print(name)
    print("  same weights from both axes:", np.array_equal(right, wrong))
    print("  row sums over the queries:  ", wrong.sum(axis=1).round(3))
