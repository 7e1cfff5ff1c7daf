import numpy as np

# 2 tokens, 4 features. The number says where an entry comes from: token * 10 + feature.
x = np.array([[10, 11, 12, 13], [20, 21, 22, 23]])
num_heads, head_dim = 2, 2

heads = x.reshape(2, num_heads, head_dim).transpose(1, 0, 2)  # (head, token, feature of the head)
merged = heads.transpose(1, 0, 2).reshape(2, 4)  # (token, feature)
wrong = heads.reshape(2, 4)  # the shape is right, the content is not

print("head 1")
print(heads[0])
print("head 2")
print(heads[1])
print("merged")
print(merged)
print("merged without transpose")
print(wrong)
