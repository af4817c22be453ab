"""Models of diffprivlib. A dataset is a list of rows: features, then a label or target where the model takes one.

Noise in doubles leaks low bits (see diffprivlib.py). These audits round outcomes to a grid first: they are about values.
"""

from table import Served, pure, row

LIBRARY = "diffprivlib"
DISTRIBUTION = "diffprivlib"
ENVIRONMENT = "common"
ROUNDED = dict(floats="rounded", grid=2.0**-10)
REPLACED = {"words": "one row is replaced"}
REMOVED = {"words": "one row is removed"}


def times(factor, mistake):
    """A mutant: the library is given a multiple of an epsilon of 1."""
    return dict(wrong={"given": float(factor)}, mistake="the library is given %s times the epsilon" % mistake)


def fitted(model, *read, labeled=True, **parameters):
    """A fit, and the numbers of the attributes in `read`."""
    from diffprivlib import models
    import numpy

    make = getattr(models, model)

    def fit(dataset):
        table = numpy.array(dataset, dtype=float)
        columns = (table[:, :-1], table[:, -1]) if labeled else (table,)
        made = make(**parameters).fit(*columns)
        return numpy.concatenate([numpy.ravel(getattr(made, name)) for name in read])

    return Served(pure(parameters["epsilon"]), function=fit)


@row(
    about="Counts of the classes of naive Bayes, where one label changes: they have a third of the epsilon, and both move.",
    pairs=[([[0.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 1.0]], [[0.0, 0.0], [0.0, 1.0], [0.0, 1.0], [0.0, 1.0]])],
    relation=REPLACED,
    trials=3000,
    **times(8, "eight"),
)
def gaussian_nb_counts(given=1.0):
    return fitted("GaussianNB", "class_count_", epsilon=given, bounds=(0.0, 1.0))


@row(
    about="Linear regression without an intercept, with symmetric bounds, for which its sensitivities are right.",
    pairs=[([[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, -1.0]])],
    relation=REPLACED,
    trials=3000,
    **ROUNDED,
    **times(8, "eight"),
)
def linear_regression(given=1.0):
    bounds = dict(bounds_X=(-1.0, 1.0), bounds_y=(-1.0, 1.0))
    return fitted("LinearRegression", "coef_", epsilon=given, fit_intercept=False, **bounds)


@row(
    about="Linear regression with an intercept: it is given epsilon (1 + 1/(d + 1)) in all, more than the results show.",
    pairs=[([[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, -1.0]])],
    relation=REPLACED,
    trials=2500,
    **ROUNDED,
    **times(8, "eight"),
)
def linear_regression_with_intercept(given=1.0):
    bounds = dict(bounds_X=(-1.0, 1.0), bounds_y=(-1.0, 1.0))
    return fitted("LinearRegression", "coef_", "intercept_", epsilon=given, **bounds)


@row(
    about="Logistic regression without an intercept and for a data norm of 1, for which its noise is made.",
    pairs=[([[1.0, 1.0], [0.0, 0.0]], [[-1.0, 1.0], [0.0, 0.0]])],
    relation=REPLACED,
    trials=2500,
    **ROUNDED,
    **times(16, "sixteen"),
)
def logistic_regression_of_norm_one(given=1.0):
    return fitted("LogisticRegression", "coef_", epsilon=given, data_norm=1.0, fit_intercept=False)


@row(
    about="The center of one cluster: sums have a part of the epsilon of each step.",
    pairs=[([[0.0], [0.0]], [[0.0], [1.0]])],
    relation=REPLACED,
    trials=2500,
    **ROUNDED,
    wrong={"given": 64.0},
    mistake="the library is given sixteen times the epsilon",
)
def k_means_of_one(given=4.0):
    return fitted("KMeans", "cluster_centers_", labeled=False, epsilon=given, n_clusters=1, bounds=(0.0, 1.0))


@row(
    about="Two centers: a cluster without rows keeps its first center, without noise. It is never near the bounds.",
    pairs=[([[0.0] * 3, [0.0] * 3, [1.0] * 3], [[0.0] * 3, [0.0] * 3])],
    relation=REMOVED,
    trials=3000,
    expect="violated",
    **ROUNDED,
)
def k_means_of_two():
    return fitted("KMeans", "cluster_centers_", labeled=False, epsilon=0.1, n_clusters=2, bounds=(0.0, 1.0))


SIXTEENFOLD_OF_FOUR = dict(wrong={"given": 64.0}, mistake="the library is given sixteen times the epsilon")
TURNED = dict(pairs=[([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]])], relation=REPLACED, trials=3000, **ROUNDED)


@row(about="Principal components of centered rows: variances.", **TURNED, **SIXTEENFOLD_OF_FOUR)
def pca_variances(given=4.0):
    return fitted("PCA", "explained_variance_", labeled=False, epsilon=given, data_norm=1.0, centered=True)


@row(
    about="Principal components of rows that are not centered: half the epsilon is for the mean.",
    **TURNED,
    **times(16, "sixteen"),
)
def pca_mean(given=1.0):
    return fitted("PCA", "mean_", labeled=False, epsilon=given, data_norm=1.0, bounds=(0.0, 1.0))


SCALED = dict(pairs=[([[0.0], [0.0]], [[0.0], [1.0]])], relation=REPLACED, trials=10000, **ROUNDED)


@row(about="A scaler's mean and variance: each has half the epsilon.", **SCALED, **times(4, "four"))
def standard_scaler(given=1.0):
    return fitted("StandardScaler", "mean_", "var_", labeled=False, epsilon=given, bounds=(0.0, 1.0))


@row(about="A scaler's mean, without a variance: tight.", **SCALED, **times(2, "two"))
def standard_scaler_mean(given=1.0):
    return fitted("StandardScaler", "mean_", labeled=False, epsilon=given, bounds=(0.0, 1.0), with_std=False)


def voted(model, given, trees=1, **parameters):
    """Classes that the trees of a model predict for a row at 0.5. A dataset is the labels of rows at 0.5."""
    from diffprivlib import models

    make = getattr(models, model)

    def release(labels):
        made = make(epsilon=given, bounds=(0.0, 1.0), classes=[0, 1], max_depth=1, **parameters)
        made.fit([[0.5]] * len(labels), labels)
        found = made.estimators_ if trees > 1 else [made]
        return [int(tree.predict([[0.5]])[0]) for tree in found]

    return Served(pure(given), function=release)


@row(
    about="A decision tree under add/remove, for which its choice of a class is made.",
    pairs=[([0, 1, 1], [0, 1])],
    relation="add-remove",
    trials=3000,
    **times(4, "four"),
)
def decision_tree_removal(given=1.0):
    return voted("DecisionTreeClassifier", given)


@row(
    about="Ten trees, each of a tenth of the rows: one removed row shifts the others to other trees. All can change.",
    pairs=[([0, 0, 1, 1] * 5, ([0, 0, 1, 1] * 5)[1:])],
    relation="add-remove",
    trials=1000,
    expect="violated",
)
def random_forest():
    return voted("RandomForestClassifier", 1.0, trees=10)
