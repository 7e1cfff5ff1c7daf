import numpy as np

weights = np.array([0.9, 0.1])
values = np.array([[0.0, 0.0], [4.0, -2.0]])  # the first token hands over nothing

output = weights @ values
contributions = weights[:, np.newaxis] * values
lengths = np.linalg.norm(contributions, axis=1)

print("weights", weights)
print("output ", output)
print("length of each contribution", lengths.round(3))
