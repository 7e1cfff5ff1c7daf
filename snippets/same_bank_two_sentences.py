from attention_core import bank

X_river, X_savings = bank.tokens("river"), bank.tokens("savings")
river, savings = bank.lesson("river"), bank.lesson("savings")

same_vector = (X_river == X_savings).all(axis=1)
same_query = (river.query[3] == savings.query[3]).all()
same_key = (river.key == savings.key).all(axis=1)

for name, words in bank.sentences.items():
    print(f"{name}:", *words)
print("same vector, token by token:", same_vector)
print("same Key, token by token:   ", same_key)
print("same Query for bank:", same_query)
print("bank goes in as", X_river[3])
print("and comes out, by the river bank, as  ", river.output[3].round(2))
print("and comes out, at the savings bank, as", savings.output[3].round(2))
