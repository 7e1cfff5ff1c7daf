import math

query = [1.0, 1.0]  # token 3 asks
keys = values = [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]

scores = [query[0] * key[0] + query[1] * key[1] for key in keys]
scaled = [score / math.sqrt(2) for score in scores]
powers = [math.exp(score) for score in scaled]
weights = [power / sum(powers) for power in powers]
output = [sum(w * value[i] for w, value in zip(weights, values, strict=True)) for i in range(2)]

print("scores ", scores)
print("scaled ", [round(x, 3) for x in scaled])
print("powers ", [round(x, 3) for x in powers], "sum", round(sum(powers), 3))
rounded = [round(x, 3) for x in weights]
print("weights", rounded, "sum as rounded", round(sum(rounded), 3))
print("output ", [round(x, 3) for x in output])
