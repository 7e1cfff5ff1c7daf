# ---
# title: Scaling, measured
# description: Thousands of random Queries and Keys show what sqrt(d_k) does to scores and weights.
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Scaling, measured {#scaling-measured}
#
# <div class="admonition abstract" markdown="1">
# <p class="admonition-title">After this chapter you can</p>
#
# - measure the spread of random dot products, and compare it with the derivation;
# - say what that spread does to the largest weight of a softmax, with the divisor and without it;
# - tell what a measurement on random vectors says about a trained model, and what it does not.
#
# </div>
#
# The chapter on [scaling](scaling.md) shows that the variance of a dot product equals the width
# `d_k` if the entries are independent with mean $0$ and variance $1$, and counts every case for
# small widths. Counting soon becomes impossible, because the number of cases doubles with each
# feature. Here we draw random vectors instead and go up to a width of [1024](<=widths[-1]>).
#
# ## Draw, multiply, compare {#draw}
#
# For each width we draw [2000](<=n_query>) Queries and give each of them [8](<=n_key>) Keys of its
# own. All entries are independent, with mean $0$ and variance $1$, as the derivation assumes. The
# seed of the random numbers is fixed, so you get the same figures as this page.
#
# In the code, `np.einsum("qd,qkd->qk", queries, keys)` takes the dot product of each Query with each
# of its own Keys. Each letter names an axis, and products are added up along `d`, the letter that is
# missing on the right.

# %%
import matplotlib.pyplot as plt
import matplotlib_fontja
import numpy as np

from attention_core import softmax

rng = np.random.default_rng(0)
n_query, n_key = 2000, 8
widths = [2**power for power in range(11)]

variance, variance_scaled = [], []
largest, largest_scaled = [], []
for d_k in widths:
    queries = rng.standard_normal((n_query, d_k))
    keys = rng.standard_normal((n_query, n_key, d_k))
    scores = np.einsum("qd,qkd->qk", queries, keys)  # each query meets its own keys
    scaled = scores / np.sqrt(d_k)

    variance.append(scores.var())
    variance_scaled.append(scaled.var())
    largest.append(softmax(scores).max(axis=1).mean())
    largest_scaled.append(softmax(scaled).max(axis=1).mean())

# %% [markdown]
# ## The figures {#figures}
#
# `variance` and `largest` belong to the raw scores, the columns that end in `_scaled` to the scores
# divided by the square root of `d_k`. `largest` is the largest weight of a row, averaged over all
# Queries.

# %%
print(" d_k  variance  variance_scaled  largest  largest_scaled")
for row in zip(widths, variance, variance_scaled, largest, largest_scaled, strict=True):
    print("{:4d}  {:8.2f}  {:15.2f}  {:7.3f}  {:14.3f}".format(*row))

# %% [markdown]
# ## The spread {#spread}
#
# Both axes of this picture are logarithmic. From one point to the next the width doubles.

# %% alt="Line chart with two logarithmic axes: variance of the scores over the width d_k. The variance of the raw scores rises on a straight line from about [1](<=round(variance[0])>) to about [1000](<=round(variance[-1], -3)>). The variance of the divided scores stays close to [1](<=round(np.mean(variance_scaled))>)."
matplotlib_fontja.japanize()  # a font that can draw Japanese labels
plt.rcParams.update({"figure.figsize": (5, 3.8), "figure.dpi": 200, "font.size": 12})

figure, axes = plt.subplots()
axes.plot(widths, variance, "o-", color="#d55e00", label="raw")
axes.plot(widths, variance_scaled, "s--", color="#0072b2", label="divided")
axes.set_xscale("log", base=2)
axes.set_yscale("log", base=2)
axes.set_xticks(widths[::2], labels=widths[::2])
axes.set_yticks(widths[::2], labels=widths[::2])
axes.set_xlabel("width d_k")
axes.set_ylabel("variance of the scores")
axes.grid(color="#dddddd")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
plt.show()

# %% [markdown]
# The variance of the raw scores rises on a straight line: with twice the width it is about twice as
# large. The variance of the divided scores stays near [1](<=round(np.mean(variance_scaled))>). It is not
# exactly $1$, as the table shows, because a sample varies by chance. Another seed changes the last
# digits, but not the picture as a whole.
#
# ## The largest weight {#largest-weight}
#
# What does the spread do to the weights? Each row has [8](<=n_key>) Keys, and the dotted line marks
# an even share, [0.125](<=1 / n_key>) for each of them.

# %% alt="Line chart with a logarithmic horizontal axis: mean largest weight over the width d_k. Without the divisor the weight rises from about [0.3](<=largest[0]>) to nearly [1](<=round(largest[-1])>). With the divisor it stays between [0.3 and 0.4](<=min(largest_scaled), max(largest_scaled)>). A dotted line marks the even share below both."
figure, axes = plt.subplots()
axes.plot(widths, largest, "o-", color="#d55e00", label="raw")
axes.plot(widths, largest_scaled, "s--", color="#0072b2", label="divided")
axes.axhline(1 / n_key, color="#555555", linestyle=":", label="even share")
axes.set_xscale("log", base=2)
axes.set_xticks(widths[::2], labels=widths[::2])
axes.set_ylim(0, 1)
axes.set_xlabel("width d_k")
axes.set_ylabel("mean largest weight")
axes.grid(color="#dddddd")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
plt.show()

# %% [markdown]
# Without the divisor one Key takes more and more of its row as the width grows, although nothing
# but chance sets the Keys apart. At width [1024](<=widths[-1]>) the largest weight is
# [0.969](<=largest[-1]>) on average, and the softmax all but picks a single Key. With the divisor
# the largest weight is much the same at every width. The width of a head then does not also decide
# how peaked its weights are when training begins.
#
# The dashed line does rise a little, from [0.307](<=largest_scaled[0]>) to
# [0.362](<=largest_scaled[-1]>), while the variance stays near [1](<=round(np.mean(variance_scaled))>). So
# the variance alone does not settle the largest weight. That depends on the whole distribution of
# the scores, whose shape changes as more products are added up.
#
# ## Where this model stops {#limits}
#
# These vectors are drawn, not learned. In a trained model the entries of Queries and Keys need not
# be independent, nor of variance $1$; training may stretch them. The pictures show what the divisor
# does under the assumptions of the derivation. They do not show that a trained head never
# saturates: in [this lab](scaling.md#not-always) a row saturates in spite of the divisor.
#
# ## Check your understanding {#check}
#
# <details class="question" markdown="1">
# <summary markdown="span">For width [1](<=widths[0]>) the table says [1.03](<=variance[0]>), the derivation [1](<=widths[0]>). Is one of them wrong?</summary>
#
# No. The derivation is about all possible vectors, the table about those that were drawn. The
# [exact count](scaling.md#count) goes through every case and has no such scatter.
#
# </details>
#
# <details class="question" markdown="1">
# <summary>Why do the two lines of each picture start at the same point?</summary>
#
# At width [1](<=widths[0]>) the divisor is the square root of [1](<=widths[0]>). Dividing by
# [1](<=np.sqrt(widths[0])>) changes nothing.
#
# </details>
#
# Next: [Self-attention](self-attention.md), where Queries, Keys and Values come from one sequence.
