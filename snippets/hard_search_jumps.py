import numpy as np

from attention_core import softmax

values = np.array([10.0, 20.0, 30.0])

print("second_score  hard    soft")
for second in (1.8, 1.9, 2.1, 2.2):
    scores = np.array([2.0, second, 0.0])
    hard = values[np.argmax(scores)]
    soft = softmax(scores) @ values
    print(f"{second:12.1f}  {hard:4.1f}  {soft:6.3f}")
