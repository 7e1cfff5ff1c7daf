import numpy as np

from attention_core import attention_trace, bank

traces = {mode: bank.lesson("river", mode) for mode in ("scaled", "unscaled", "uniform")}
X = 3 * bank.tokens("river")  # the same sentence, each embedding three times as long
traces["3 X"] = attention_trace(X @ bank.W_q, X @ bank.W_k, X @ bank.W_v)  # scaled

softmax_slope, slope = {}, {}
print("         softmax gets             weights of bank         largest slope by")
print("            by   the river  bank    by   the river  bank  its input  dot product")
for mode, trace in traces.items():
    weights = trace.weights[3]  # bank asks
    jacobian = np.diag(weights) - np.outer(weights, weights)  # d weights / d what softmax gets
    softmax_slope[mode] = np.abs(jacobian).max()
    slope[mode] = trace.scale * softmax_slope[mode]  # d weights / d dot products
    gets = " ".join(f"{score:5.2f}" for score in trace.scaled_scores[3])
    gives = " ".join(f"{weight:5.2f}" for weight in weights)
    print(f"{mode:8}  {gets} {gives}  {softmax_slope[mode]:9.2g}  {slope[mode]:11.2g}")
print()
for mode in ("scaled", "unscaled", "uniform"):
    print(f"output, {mode:8}", traces[mode].output[3].round(3))
