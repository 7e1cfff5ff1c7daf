# ---
# title: 測って確かめるスケーリング
# description: ランダムなクエリとキーを大量に引き、sqrt(d_k)で割ることで内積の分散とアテンションの重みがどう変わるかを測ります。
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
# # 測って確かめるスケーリング {#scaling-measured}
#
# <div class="admonition abstract" markdown="1">
# <p class="admonition-title">この章でできるようになること</p>
#
# - ランダムなベクトルの内積がどれだけ散らばるかを測り、導いた値と比べる。
# - その散らばりによって最大の重みがどう変わるかを、割る場合と割らない場合のそれぞれで説明する。
# - ランダムなベクトルでの測定から、学習済みのモデルについて言えることと言えないことを区別する。
#
# </div>
#
# [スケーリング](scaling.md)の章では、成分が独立で平均 $0$、分散 $1$ なら、
# 内積の分散が幅 `d_k` に等しいことを導き、幅が小さい場合について、すべての場合を数え上げて確かめました。
# ただし、特徴を増やすたびに場合の数は倍になるので、数え上げにはすぐに限界が来ます。
# そこでこの章では、ベクトルを乱数で作り、幅[1024](<=widths[-1]>)まで測ります。
#
# ## 引いて、掛けて、比べる {#draw}
#
# 幅ごとに[2000](<=n_query>)本のクエリを引き（乱数で作り）、クエリごとに専用のキーを[8](<=n_key>)本ずつ用意します。
# どの成分も互いに独立で、平均は $0$、分散は $1$ です。導出で置いた仮定を、そのまま実現しています。
# 乱数のシードを固定したので、手元で動かしてもこのページと同じ数値になります。
#
# コードの `np.einsum("qd,qkd->qk", queries, keys)` では、クエリごとに、そのクエリのキーとの内積を取ります。
# それぞれの文字が軸を表し、右側にない `d` の軸に沿って積を足し合わせます。

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
# ## 数値 {#figures}
#
# `variance` はスコアの分散、`largest` は各行で最も大きい重みを取り出し、すべてのクエリで平均した値です。
# `_scaled` で終わる列は `d_k` の平方根で割ったスコアの結果、終わらない列は割る前のスコアの結果です。

# %%
print(" d_k  variance  variance_scaled  largest  largest_scaled")
for row in zip(widths, variance, variance_scaled, largest, largest_scaled, strict=True):
    print("{:4d}  {:8.2f}  {:15.2f}  {:7.3f}  {:14.3f}".format(*row))

# %% [markdown]
# ## 散らばり {#spread}
#
# この図は両方の軸が対数目盛です。点を1つ右へ進むごとに、幅は倍になります。

# %% alt="スコアの分散を幅d_kに対して描いた、両軸とも対数目盛の折れ線グラフ。割る前のスコアの分散は、およそ[1](<=round(variance[0])>)からおよそ[1000](<=round(variance[-1], -3)>)まで直線的に上がる。割ったスコアの分散は[1](<=round(np.mean(variance_scaled))>)の近くにとどまる。"
matplotlib_fontja.japanize()  # a font that can draw Japanese labels
plt.rcParams.update({"figure.figsize": (5, 3.8), "figure.dpi": 200, "font.size": 12})

figure, axes = plt.subplots()
axes.plot(widths, variance, "o-", color="#d55e00", label="割る前")
axes.plot(widths, variance_scaled, "s--", color="#0072b2", label="割ったあと")
axes.set_xscale("log", base=2)
axes.set_yscale("log", base=2)
axes.set_xticks(widths[::2], labels=widths[::2])
axes.set_yticks(widths[::2], labels=widths[::2])
axes.set_xlabel("幅 d_k")
axes.set_ylabel("スコアの分散")
axes.grid(color="#dddddd")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=2, frameon=False)
plt.show()

# %% [markdown]
# 割る前のスコアの分散は、直線に沿って上がります。幅が倍になれば、分散もおよそ倍になるということです。
# 割ったあとの分散は[1](<=round(np.mean(variance_scaled))>)の近くにとどまりますが、上の表のとおり、ぴったり $1$ にはなりません。
# これは、限られた数のベクトルで測ったためのばらつきです。
# シードを変えると末尾の桁は動きますが、図の形は変わりません。
#
# ## 最大の重み {#largest-weight}
#
# 散らばりが変わると、重みはどう変わるでしょうか。
# キーは行ごとに[8](<=n_key>)本あり、点線は、重みを均等に配った場合の値[0.125](<=1 / n_key>)を示します。

# %% alt="最大の重みの平均を幅d_kに対して描いた、横軸が対数目盛の折れ線グラフ。割らない場合はおよそ[0.3](<=largest[0]>)から[1](<=round(largest[-1])>)の近くまで上がる。割った場合は[0.3と0.4](<=min(largest_scaled), max(largest_scaled)>)の間にとどまる。均等に配ったときの重みを示す点線は、どちらの線よりも下にある。"
figure, axes = plt.subplots()
axes.plot(widths, largest, "o-", color="#d55e00", label="割る前")
axes.plot(widths, largest_scaled, "s--", color="#0072b2", label="割ったあと")
axes.axhline(1 / n_key, color="#555555", linestyle=":", label="均等")
axes.set_xscale("log", base=2)
axes.set_xticks(widths[::2], labels=widths[::2])
axes.set_ylim(0, 1)
axes.set_xlabel("幅 d_k")
axes.set_ylabel("最大の重みの平均")
axes.grid(color="#dddddd")
axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3, frameon=False)
plt.show()

# %% [markdown]
# どのキーがよく合うかは、偶然だけで決まっています。
# それでも割らずにおくと、幅が広がるにつれて、1本のキーが行の重みを独占していきます。
# 幅[1024](<=widths[-1]>)では、最大の重みは平均で[0.969](<=largest[-1]>)に達し、ほとんど1つを選ぶのと変わらなくなりました。
# 割っておけば、重みの様子はどの幅でも大きくは変わりません。
# クエリとキーの幅をいくつにしても、学習前の重みの尖り具合はほぼ同じになります。
#
# とはいえ、割ったあとの破線も、[0.307](<=largest_scaled[0]>)から[0.362](<=largest_scaled[-1]>)へと少し上がっています。
# その間も分散は[1](<=round(np.mean(variance_scaled))>)の近くにとどまっていますから、
# 最大の重みは分散だけで決まるわけではありません。
# 分散は散らばりの大きさを表すだけです。最大の重みはスコアの分布全体で決まり、
# その分布の形は、足し合わせる積の数が増えるにつれて変わっていきます。
#
# ## このモデルの限界 {#limits}
#
# ここで使ったベクトルは乱数であって、学習の結果ではありません。
# 学習済みのモデルでは、クエリやキーの成分が独立とは限らず、分散が $1$ とも限りません。
# 学習によって成分が大きくなることもあります。
# 図からわかるのは、導出の仮定が成り立つときの割り算の効果だけで、
# 学習済みのモデルの重みが飽和しないとまでは言えません。
# 前の章の[成分の大きさを変えたラボ](scaling.md#not-always)では、割っても行が飽和しました。
#
# ## 理解の確認 {#check}
#
# <details class="question" markdown="1">
# <summary markdown="span">幅[1](<=widths[0]>)の分散は、表では[1.03](<=variance[0]>)、導出では[1](<=widths[0]>)です。どちらかが間違っているのでしょうか</summary>
#
# どちらも正しい値です。導出では起こりうるすべてのベクトルを考え、表では実際に引いたベクトルだけを使いました。
# [数え上げ](scaling.md#count)ではすべての場合を調べるので、こうしたばらつきは出ません。
#
# </details>
#
# <details class="question" markdown="1">
# <summary>どちらの図でも、2本の線が同じ点から始まるのはなぜでしょうか</summary>
#
# 幅[1](<=widths[0]>)では、割る数が[1](<=widths[0]>)の平方根だからです。[1](<=np.sqrt(widths[0])>)で割っても何も変わりません。
#
# </details>
#
# 次は[自己アテンション](self-attention.md)です。クエリもキーもバリューも、1つの系列から作ります。
