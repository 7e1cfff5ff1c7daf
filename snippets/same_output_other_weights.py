import numpy as np

values = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.5]])  # the third is the mean of the others
one = np.array([0.5, 0.5, 0.0])
other = np.array([0.1, 0.1, 0.8])

print("weights", one, "-> output", one @ values)
print("weights", other, "-> output", other @ values)
