"""opacus: one step of private gradient descent on the CPU. A dataset is the features of a batch.

The model is one weight without a bias, and the loss is its output, so the gradient of a row is its feature. The
claim is Gaussian DP from the noise multiplier, for an added or removed row. Outcomes are single-precision numbers,
and are rounded to a grid first.
"""

from table import Served, gaussian, row

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
