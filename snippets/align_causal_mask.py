from attention_core import causal_mask

lengths = ((1, 4), (2, 4))  # n_query, n_key

for n_query, n_key in lengths:
    for alignment in ("upper_left", "lower_right"):
        print(f"{n_query} query, {n_key} keys, {alignment}")
        print(causal_mask(n_query, n_key, alignment=alignment).astype(int))

try:
    causal_mask(1, 4)
except ValueError as error:
    print("without alignment:", str(error).split(";")[0])
