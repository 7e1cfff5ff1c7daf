import numpy as np

from attention_core import bank, scaled_dot_product_attention, softmax

river, savings = bank.lesson("river"), bank.lesson("savings")
query = river.query[3:]  # bank asks, in both sentences with this Query

print("weights, by the river bank:  ", river.weights[3].round(2))
print("weights, at the savings bank:", savings.weights[3].round(2))

blank = river.key.copy()
blank[2] = 0.0  # river has no Key to be found by
cases = {
    "by the river bank": (river.key, river.value),
    "at the savings bank": (savings.key, savings.value),
    "other Keys alone": (savings.key, river.value),
    "other Values alone": (river.key, savings.value),
    "river without its Key": (blank, river.value),
}
outputs = {}
for name, (key, value) in cases.items():
    outputs[name] = scaled_dot_product_attention(query, key, value)[0]
    print(f"{name:21}  output {outputs[name].round(2)}")

geography = np.array([2.3, 0.0, 0.0, 0.0])  # a Query that asks for one sense alone
by_the_river = softmax(river.key @ geography / np.sqrt(4))
at_the_savings = softmax(savings.key @ geography / np.sqrt(4))
print("a Query for geography alone, by the river bank:  ", by_the_river.round(2))
print("a Query for geography alone, at the savings bank:", at_the_savings.round(2))
