"""opacus: private gradient descent on the CPU, one step of its optimizer and whole trainings by its engine.

A dataset is the features of the rows. The model is one weight without a bias, and the loss is its output, so the
gradient of a row is its feature. The claim is Gaussian DP from the noise multiplier, or the epsilon of the engine's
accountant, for an added or removed row. Outcomes are single-precision numbers, and are rounded to a grid first.

A training by the engine takes the number of rows as public: its sampling rate is one over the number of batches. The
row that is removed is therefore one with a feature, so a gradient, of 0, which does what an absent one does.
"""

from table import Served, approximate, gaussian, row

LIBRARY = "opacus"
DISTRIBUTION = "opacus"
ENVIRONMENT = "opacus"
ROUNDED = dict(floats="rounded", grid=2.0**-10)
REMOVED = dict(pairs=[([0.5, 1.0], [0.5])], relation="add-remove", trials=5000, **ROUNDED)


def stepped(width, make):
    """The weights after a step from 0, with the sign of the gradient. Each feature is repeated `width` times."""
    from opacus import GradSampleModule
    import torch

    torch.set_num_threads(1)
    model = GradSampleModule(torch.nn.Linear(width, 1, bias=False), loss_reduction="sum")
    optimizer = make(torch.optim.SGD(model.parameters(), lr=1.0))
    [weight] = model.parameters()

    def release(dataset):
        with torch.no_grad():
            weight.zero_()
        optimizer.zero_grad()
        model(torch.tensor([[feature] * width for feature in dataset])).sum().backward()
        optimizer.step()
        return [-float(number) for number in weight.detach().ravel()]

    return release


def private(noise, norm=1.0, width=1, name="DPOptimizer", **more):
    from opacus import optimizers

    settings = dict(noise_multiplier=noise, max_grad_norm=norm, expected_batch_size=1, loss_reduction="sum", **more)
    return stepped(width, lambda inner: getattr(optimizers, name)(inner, **settings))


@row(about="A step with a noise multiplier of 2: tight.", **REMOVED, wrong={"noise": 1.0})
def step(noise=2.0):
    return Served(gaussian(1 / noise), function=private(noise))


@row(about="A step with noise that is a sum of four samples, the secure mode.", **REMOVED, wrong={"noise": 1.0})
def step_secure(noise=2.0):
    return Served(gaussian(1 / noise), function=private(noise, secure_mode=True))


@row(
    about="A row with a gradient of 100, clipped to 1.",
    **dict(REMOVED, pairs=[([0.5, 100.0], [0.5])]),
    wrong={"norm": 100.0, "noise": 0.02},
    mistake="clipping to 100, with the noise for 1",
)
def step_of_an_outlier(noise=2.0, norm=1.0):
    return Served(gaussian(1 / noise), function=private(noise, norm))


@row(about="Two weights, clipped in L2 norm.", **dict(REMOVED, pairs=[([0.5, 5.0], [0.5])]), wrong={"noise": 1.0})
def step_of_two_weights(noise=2.0):
    return Served(gaussian(1 / noise), function=private(noise, width=2))


# Trainings as they are written: a model, an optimizer and a loader that `make_private` wraps.

LEFT_OUT = dict(relation="substitution", trials=10_000, **ROUNDED)


class Training:
    """An epoch of SGD, again and again on one dataset; each outcome is what each step takes from each weight."""

    def __init__(self, features, layers, noise, batch, poisson=True, centered=False, wrapped=None, physical=None):
        import torch
        from opacus import PrivacyEngine

        torch.set_num_threads(1)
        self.layers = [torch.nn.Linear(1, 1, bias=False) for _ in range(layers)]
        model = torch.nn.Sequential(*self.layers[:wrapped])
        self.weights = [layer.weight for layer in self.layers]
        self.centered, self.physical = centered, physical
        rows = torch.utils.data.TensorDataset(torch.tensor(features).reshape(-1, 1))
        # The loss is a mean, and the engine is told so: its default.
        self.engine = PrivacyEngine(accountant="prv")
        self.model, self.private, self.loader = self.engine.make_private(
            module=model,
            optimizer=torch.optim.SGD(model.parameters(), lr=1.0),
            data_loader=torch.utils.data.DataLoader(rows, batch_size=batch),
            noise_multiplier=noise,
            max_grad_norm=1.0,
            poisson_sampling=poisson,
        )
        rest = self.layers[len(model) :]
        self.plain = [torch.optim.SGD(layer.parameters(), lr=1.0) for layer in rest]

    def batches(self):
        """The loader for an epoch; with `physical`, in parts of so many rows at most."""
        import contextlib

        from opacus.utils.batch_memory_manager import BatchMemoryManager

        if self.physical is None:
            return contextlib.nullcontext(self.loader)
        return BatchMemoryManager(
            data_loader=self.loader, max_physical_batch_size=self.physical, optimizer=self.private
        )

    def run(self):
        import torch

        with torch.no_grad():
            for weight in self.weights:
                weight.fill_(1.0)
        seen, moves = [1.0] * len(self.weights), []
        with self.batches() as batches:
            for (rows,) in batches:
                for optimizer in [self.private, *self.plain]:
                    optimizer.zero_grad()
                out = self.model(rows - rows.mean(0) if self.centered else rows)
                for layer in self.layers[len(self.layers) - len(self.plain) :]:
                    out = layer(out)
                out.mean().backward()
                for optimizer in [self.private, *self.plain]:
                    optimizer.step()
                now = [float(weight) for weight in self.weights]
                moves += [was - is_now for was, is_now in zip(seen, now)]
                seen = now
        return moves


def trained(layers=1, **settings):
    """Trainings, wrapped once for each dataset."""
    made = {}

    def release(dataset):
        if repr(dataset) not in made:
            made[repr(dataset)] = Training(dataset, layers, **settings)
        return made[repr(dataset)].run()

    return release


def accounted(rows, delta, **settings):
    """The epsilon that the engine states after an epoch."""
    training = Training([0.0] * rows, 1, **settings)
    training.run()
    return approximate((training.engine.get_epsilon(delta), delta))


@row(
    about="An epoch of four Poisson samples of a quarter, under the epsilon of the engine.",
    **dict(LEFT_OUT, pairs=[([0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 0.0])]),
    mutant={"trials": 40_000},
    wrong={"poisson": False},
    mistake="`poisson_sampling=False`: the batches are one row each, in order, under the epsilon of Poisson samples",
)
def training(poisson=True):
    claim = lambda: accounted(4, 0.01, noise=1.0, batch=1)
    return Served(claim, function=trained(noise=1.0, batch=1, poisson=poisson))


@row(
    about="A step on all rows.",
    **dict(LEFT_OUT, pairs=[([1.0] * 7 + [100.0], [1.0] * 7 + [0.0])]),
    wrong={"centered": True},
    mistake="the model centers a batch around its mean, as a batch norm does: a row moves the gradients of all",
)
def training_on_all_rows(centered=False):
    return Served(gaussian(1 / 2.0), function=trained(noise=2.0, batch=8, poisson=False, centered=centered))


@row(
    about="A step on all rows of a model of two layers.",
    **dict(LEFT_OUT, pairs=[([1.0, 1.0, 1.0, 100.0], [1.0, 1.0, 1.0, 0.0])]),
    wrong={"wrapped": 1},
    mistake="the last layer is not in the wrapped model: an optimizer of its own trains it without noise",
)
def training_of_two_layers(wrapped=2):
    return Served(gaussian(1 / 2.0), function=trained(2, noise=2.0, batch=4, poisson=False, wrapped=wrapped))


@row(
    about="A step on all rows, in physical batches of one row by the BatchMemoryManager.",
    **dict(LEFT_OUT, pairs=[([1.0, 1.0, 1.0, 100.0], [1.0, 1.0, 1.0, 0.0])]),
    wrong={"noise": 1.0},
)
def training_in_physical_batches(noise=2.0):
    return Served(gaussian(1 / 2.0), function=trained(noise=noise, batch=4, poisson=False, physical=1))
