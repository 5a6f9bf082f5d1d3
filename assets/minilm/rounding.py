"""Training with the rounding of the kernels: a model that has met it loses nothing by it.

The kernels round each row of a matrix to 127 steps on either side of zero, each state to 254 steps
between its least and its largest value, and each row of the word table like a matrix. Gradients pass
straight through.
"""

import torch


class RoundedLinear(torch.nn.Linear):
    is_on = True

    def forward(self, states):
        if not RoundedLinear.is_on:
            return super().forward(states)
        with torch.no_grad():
            weights = rounded_rows(self.weight) - self.weight
            low = states.amin(-1, keepdim=True).clamp(max=0)
            high = states.amax(-1, keepdim=True).clamp(min=0)
            step = ((high - low) / 254).clamp(min=1e-9)
            zero = torch.round(-low / step)
            moved = (torch.round(states / step) + zero).clamp(0, 254).sub(zero) * step - states
        return torch.nn.functional.linear(states + moved, self.weight + weights, self.bias)


def rounded_rows(matrix):
    largest = matrix.abs().amax(1, keepdim=True)
    step = torch.where(largest > 0, largest / 127, torch.ones_like(largest))
    return torch.clamp(torch.round(matrix / step), -127, 127) * step


def round_model(bert):
    """Every matrix of the layers from now on, and the word table once and for all."""
    for module in bert.encoder.modules():
        for child in module.children():
            if type(child) is torch.nn.Linear:
                child.__class__ = RoundedLinear
    words = bert.embeddings.word_embeddings.weight
    with torch.no_grad():
        words.copy_(rounded_rows(words))
    return bert
