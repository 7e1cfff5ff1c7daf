"""Small set-ups that many reports share."""

import numpy as np

from attention_core import MultiHeadAttention, attention_trace


def attend_scores(scores, mask=None, **options):
    """Trace attention whose scaled scores are exactly ``scores`` and whose output is the weights.

    The keys are unit vectors, so a query's products with them are its own entries.
    """
    scores = np.asarray(scores, dtype=float)
    unit = np.broadcast_to(np.eye(scores.shape[-1]), (*scores.shape[:-2], *[scores.shape[-1]] * 2))
    return attention_trace(scores, unit, unit, mask, scale=1.0, **options)


def equal_scores(keep, **options):
    """Return the weights under a boolean mask where all scores are 0."""
    return attend_scores(np.zeros(np.shape(keep)), np.asarray(keep, dtype=bool), **options).weights


def identity_layer(embed_dim, num_heads, **state):
    """Make a layer whose projections are identities, with entries of its state replaced."""
    layer = MultiHeadAttention(embed_dim, num_heads, rng=np.random.default_rng(0))
    identity = np.eye(embed_dim)
    layer.load_state_dict(
        {
            "in_proj_weight": np.concatenate([identity] * 3),
            "in_proj_bias": np.zeros(3 * embed_dim),
            "out_proj.weight": identity,
            "out_proj.bias": np.zeros(embed_dim),
        }
        | state
    )
    return layer


def as_torch(layer, **options):
    """Make PyTorch's layer with the weights of ours, in evaluation mode."""
    import torch

    module = torch.nn.MultiheadAttention(
        layer.embed_dim, layer.num_heads, batch_first=True, dtype=torch.float64, **options
    )
    module.load_state_dict({name: torch.from_numpy(x) for name, x in layer.state_dict().items()})
    return module.eval()
