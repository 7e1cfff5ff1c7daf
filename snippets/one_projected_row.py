from math import exp, sqrt

token = [1, 1]  # token 3
W_q = [[1, 0.5], [0, 1]]
query = [token[0] * W_q[0][f] + token[1] * W_q[1][f] for f in range(2)]

keys = [[0.5, 1], [1, 0], [1.5, 1]]  # the rows of K
scores = [query[0] * key[0] + query[1] * key[1] for key in keys]
scaled = [score / sqrt(2) for score in scores]

grown = [exp(number) for number in scaled]
weights = [number / sum(grown) for number in grown]

values = [[1, -0.5], [0.5, 1], [1.5, 0.5]]  # the rows of V
output = [sum(w * value[f] for w, value in zip(weights, values, strict=True)) for f in range(2)]

print("query  ", query)
print("scores ", scores)
print("scaled ", [round(number, 3) for number in scaled])
print("weights", [round(number, 3) for number in weights])
print("output ", [round(number, 3) for number in output])
