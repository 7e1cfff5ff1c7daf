import numpy as np

x = np.array([[10, 11, 12, 13], [20, 21, 22, 23]])  # 2 tokens, 4 features

for num_heads in (1, 2, 4):
    heads = x.reshape(2, num_heads, -1).transpose(1, 0, 2)  # (head, token, feature of the head)
    merged = heads.transpose(1, 0, 2).reshape(2, 4)
    wrong = heads.reshape(2, 4)  # the heads never give their axis back
    print(f"num_heads {num_heads}")
    print("  same shape:  ", merged.shape == wrong.shape)
    print("  same content:", np.array_equal(merged, wrong))
