import numpy as np
import pytest

from attention_core import AttentionTrace, bank, scaled_dot_product_attention, softmax_jacobian

BANK = 3  # its place in both sentences


@pytest.mark.parametrize(
    ("sentence", "words", "scores"),
    [
        ("river", ("by", "the", "river", "bank"), [0.46, 0.0, 2.3, 0.69]),
        ("savings", ("at", "the", "savings", "bank"), [0.46, 0.0, 2.3, 0.69]),
    ],
)
def test_the_search_of_bank_step_by_step(sentence, words, scores):
    trace = bank.lesson(sentence)
    assert bank.sentences[sentence] == words
    assert trace.query.shape == trace.key.shape == trace.value.shape == (4, 4)
    assert trace.scale == 0.5
    np.testing.assert_allclose(trace.query[BANK], [2.3, 2.3, 0.0, 0.0], rtol=1e-15)
    np.testing.assert_allclose(trace.scores[BANK], [0.92, 0.0, 4.6, 1.38], rtol=1e-15)
    np.testing.assert_allclose(trace.scaled_scores[BANK], scores, rtol=1e-15)
    assert trace.weights[BANK].round(2).tolist() == [0.11, 0.07, 0.69, 0.14]
    np.testing.assert_allclose(trace.weights.sum(axis=-1), 1.0, rtol=1e-15)


def test_bank_takes_its_content_from_the_word_beside_it():
    river, savings = (bank.lesson(name).output[BANK].round(2).tolist() for name in bank.sentences)
    assert river == [1.43, 0.06, 0.14, 0.0]
    assert savings == [0.06, 1.43, 0.14, 0.0]


def test_bank_starts_from_the_same_vector_in_both_sentences_and_ends_apart():
    river, savings = bank.tokens("river"), bank.tokens("savings")
    assert river[BANK].tolist() == savings[BANK].tolist() == [0.3, 0.3, 1.0, 0.0]
    traces = [bank.lesson(name) for name in bank.sentences]
    assert np.array_equal(traces[0].query[BANK], traces[1].query[BANK])
    assert not np.allclose(traces[0].output[BANK], traces[1].output[BANK])


def test_without_the_divisor_the_same_search_is_sharper_and_its_slopes_are_smaller():
    scaled, unscaled = bank.lesson("river"), bank.lesson("river", "unscaled")
    assert unscaled.scale == 1.0
    assert unscaled.weights[BANK, 2].round(2) == 0.93
    slope_scaled, slope_unscaled = (
        softmax_jacobian(trace.weights[BANK])[2, 2] for trace in (scaled, unscaled)
    )
    assert 0.0 < slope_unscaled < slope_scaled


def test_uniform_weights_keep_the_mean_of_the_input():
    trace = bank.lesson("river", "uniform")
    assert trace.weights.tolist() == np.full((4, 4), 0.25).tolist()
    np.testing.assert_allclose(trace.output[BANK], [0.625, 0.125, 0.25, 0.0], rtol=1e-15)
    np.testing.assert_allclose(trace.output, np.tile(trace.value.mean(axis=0), (4, 1)), rtol=1e-15)


def test_bank_and_river_look_at_each_other_with_different_weight():
    weights = bank.lesson("river").weights
    assert weights[BANK, 2].round(2) == 0.69
    # river asks with [2, 0, 0, 0]: scores 0.2, 0, 2 and 0.3, so e^0.3 / 10.96
    assert weights[2, BANK].round(2) == 0.12


def test_permuted_tokens_give_permuted_outputs():
    x, order = bank.tokens("river"), [2, 0, 3, 1]
    mixed = x[order]
    output = scaled_dot_product_attention(mixed @ bank.W_q, mixed @ bank.W_k, mixed @ bank.W_v)
    np.testing.assert_allclose(output, bank.lesson("river").output[order], rtol=1e-13)


def test_the_parameters_are_those_of_the_lesson():
    rows = {word: row.tolist() for word, row in bank.embeddings.items()}
    assert rows == {
        "by": [0.2, 0.2, 0.0, 1.0],
        "at": [0.2, 0.2, 0.0, 1.0],
        "the": [0.0, 0.0, 0.0, 1.0],
        "river": [2.0, 0.0, 0.0, 0.0],
        "savings": [0.0, 2.0, 0.0, 0.0],
        "bank": [0.3, 0.3, 1.0, 0.0],
    }
    assert bank.W_q.tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [2, 2, 0, 0], [0, 0, 0, 0]]
    assert bank.W_k.tolist() == np.diag([1, 1, 0, 0]).tolist()
    assert bank.W_v.tolist() == np.diag([1, 1, 1, 0]).tolist()
    assert bank.dimensions == ("geography", "finance", "ambiguous noun", "function word")


def test_a_sentence_may_be_written_in_full():
    assert np.array_equal(bank.tokens("by the river bank"), bank.tokens("river"))
    full, short = bank.lesson("at the savings bank"), bank.lesson("savings")
    assert np.array_equal(full.output, short.output)
    assert isinstance(full, AttentionTrace)


def test_the_data_cannot_be_changed_by_a_reader():
    for array in (*bank.embeddings.values(), bank.W_q, bank.W_k, bank.W_v):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9.0
    with pytest.raises(TypeError, match="does not support item assignment"):
        bank.embeddings["river"] = np.zeros(4)
    with pytest.raises(TypeError, match="does not support item assignment"):
        bank.sentences["river"] = ()
    tokens = bank.tokens("river")
    tokens[...] = 0.0  # a copy is the reader's own
    assert bank.tokens("river")[BANK].tolist() == [0.3, 0.3, 1.0, 0.0]


def test_the_evidence_of_the_lesson_holds():
    holds = {rule.rule: rule.holds for rule in bank.lesson("river").evidence()}
    assert holds == {
        "score": True,
        "weight": True,
        "output": True,
        "QKV": True,
        "mask": None,
        "bridge": False,
    }


def test_unknown_sentences_and_modes_are_named():
    with pytest.raises(ValueError, match="no sentence 'lake'; choose 'river' or 'savings'"):
        bank.lesson("lake")
    with pytest.raises(ValueError, match=r"bank\.lesson: there is no mode 'hard'; choose one of"):
        bank.lesson("river", "hard")
