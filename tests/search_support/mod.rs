//! The catalog by domains: specs of broken and of right mechanisms that name no pair.

use plaudit::spec::{Loaded, Overrides, load};

/// Audits of a spec that is written to a file of its own.
pub fn audits(spec: &str, overrides: &Overrides) -> Vec<Loaded> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("search.toml");
    std::fs::write(&file, spec).unwrap();
    load(&[file], overrides).unwrap_or_else(|error| panic!("{error}"))
}

/// Mechanism, relation, domain and claim of one audit a line.
pub fn spec(lines: &[(&str, &str, &str, &str, &str)], more: &str) -> String {
    let audit = |(name, mechanism, relation, domain, claim): &(&str, &str, &str, &str, &str)| {
        format!(
            "[[audit]]\nname = \"{name}\"\nmechanism = {{ {mechanism} }}\nrelation = {relation}\n\
             domain = {{ {domain} }}\nclaim = {{ {claim} }}\n{more}\n"
        )
    };
    lines.iter().map(audit).collect()
}

/// Answers of ten queries, each of which moves by at most 1.
const TEN: &str = "lower = -10, upper = 10, size = [1, 10]";
const WHOLE: &str = "lower = -5, upper = 5, integers = true, size = [1, 10]";
const ONE: &str = "lower = -10, upper = 10, size = 1";
const LINF: &str = "{ linf = 1.0 }";
const WORDS: &str = "columns = { word = { values = [\"a\", \"b\", \"c\"] } }, size = [0, 20]";
const AGES: &str = "columns = { age = { lower = -1000, upper = 1000 } }, size = [1, 20]";

/// Name, mechanism, relation, domain, claim.
pub type Line = (&'static str, &'static str, &'static str, &'static str, &'static str);

/// Every broken mechanism of the catalog, timing leaks apart.
pub const BROKEN: &[Line] = &[
    ("noisy-histogram-2", "kind = \"laplace\", scale = 0.1", "{ l1 = 1.0 }", TEN, "epsilon = 0.1"),
    (
        "laplace-understated",
        "kind = \"laplace\", epsilon = 1, sensitivity = 1",
        "{ linf = 2.0 }",
        ONE,
        "epsilon = 1",
    ),
    (
        "laplace-linf-for-l1",
        "kind = \"laplace\", epsilon = 1, sensitivity = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "noisy-max-3",
        "kind = \"noisy-max\", noise = \"laplace\", releases = \"maximum\", epsilon = 0.1",
        LINF,
        TEN,
        "epsilon = 0.1",
    ),
    (
        "noisy-max-4",
        "kind = \"noisy-max\", noise = \"exponential\", releases = \"maximum\", epsilon = 0.1",
        LINF,
        TEN,
        "epsilon = 0.1",
    ),
    (
        "noisy-max-half",
        "kind = \"noisy-max\", noise = \"laplace\", scale = 1.0",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "prefix-sum",
        "kind = \"prefix-sum\", epsilon = 0.1, sensitivity = 1",
        LINF,
        TEN,
        "epsilon = 0.1",
    ),
    (
        "svt-3",
        "kind = \"svt-3\", epsilon = 1, threshold = 1, stop_after = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "svt-4",
        "kind = \"svt-4\", epsilon = 1, threshold = 1, stop_after = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    ("svt-5", "kind = \"svt-5\", epsilon = 0.1, threshold = 1", LINF, TEN, "epsilon = 0.1"),
    ("svt-6", "kind = \"svt-6\", epsilon = 1, threshold = 1", LINF, TEN, "epsilon = 1"),
    (
        "svt-3-and-4",
        "kind = \"composition\", steps = [{ mechanism = { kind = \"svt-3\", epsilon = 1, threshold = 1, stop_after = 2 } }, \
         { mechanism = { kind = \"svt-4\", epsilon = 1, threshold = 1, stop_after = 2 } }]",
        LINF,
        "lower = -10, upper = 10, size = 10",
        "epsilon = 1",
    ),
    (
        "gaussian-variance",
        "kind = \"gaussian\", epsilon = 1, delta = 1e-5, sensitivity = 0.1, calibration = \"variance-for-sigma\"",
        "{ l2 = 0.1 }",
        TEN,
        "epsilon = 1, delta = 1e-5",
    ),
    (
        "gaussian-linf",
        "kind = \"gaussian\", epsilon = 1, delta = 1e-5, sensitivity = 1",
        LINF,
        TEN,
        "epsilon = 1, delta = 1e-5",
    ),
    (
        "gaussian-classic",
        "kind = \"gaussian\", epsilon = 8, delta = 0.1, sensitivity = 1, calibration = \"classic\"",
        "{ l2 = 1.0 }",
        TEN,
        "epsilon = 8, delta = 0.1",
    ),
    (
        "laplace-in-floats",
        "kind = \"laplace-in-floats\", epsilon = 1, sensitivity = 1",
        "{ l1 = 1.0 }",
        ONE,
        "epsilon = 1",
    ),
    (
        "gaussian-in-floats",
        "kind = \"gaussian-in-floats\", epsilon = 1, delta = 1e-5, sensitivity = 1",
        "{ l2 = 1.0 }",
        ONE,
        "epsilon = 1, delta = 1e-5",
    ),
    ("bounded-noise", "kind = \"bounded-noise\", bound = 10", LINF, TEN, "epsilon = 1"),
    ("subsample", "kind = \"subsample\", rate = 0.1", "\"add-remove\"", TEN, "epsilon = 1"),
    (
        "fault-panic",
        "kind = \"fault\", fault = \"panic\", on = 0, scale = 1",
        "{ l1 = 1.0 }",
        ONE,
        "epsilon = 1",
    ),
    (
        "fault-nan",
        "kind = \"fault\", fault = \"nan\", on = 3, scale = 1",
        "{ l1 = 1.0 }",
        "lower = 0, upper = 9, integers = true, size = [1, 5]",
        "epsilon = 1",
    ),
    (
        "fault-infinity",
        "kind = \"fault\", fault = \"infinity\", on = -10, scale = 1",
        "{ l1 = 1.0 }",
        TEN,
        "epsilon = 1",
    ),
    (
        "fault-empty",
        "kind = \"fault\", fault = \"empty\", on = 10, scale = 1",
        "{ l1 = 1.0 }",
        TEN,
        "epsilon = 1",
    ),
    (
        "exponential-mechanism",
        "kind = \"exponential-mechanism\", epsilon = 1, factor = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "permute-and-flip",
        "kind = \"permute-and-flip\", epsilon = 1, factor = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "exact-bounded-noise",
        "kind = \"exact-bounded-noise\", bound = 10",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "exact-exponential-mechanism",
        "kind = \"exact-exponential-mechanism\", base = 2, factor = 1",
        LINF,
        WHOLE,
        "epsilon = 1.3862943611198907",
    ),
    (
        "exact-permute-and-flip",
        "kind = \"exact-permute-and-flip\", base = 2, factor = 1",
        LINF,
        WHOLE,
        "epsilon = 1.3862943611198907",
    ),
    ("exact-noisy-max-half", "kind = \"exact-noisy-max\", scale = 1", LINF, WHOLE, "epsilon = 1"),
    (
        "exact-noisy-max-maximum",
        "kind = \"exact-noisy-max\", epsilon = 1, releases = \"maximum\"",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "exact-svt-3",
        "kind = \"exact-svt-3\", epsilon = 1, threshold = 1, stop_after = 1",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "exact-svt-4",
        "kind = \"exact-svt-4\", epsilon = 1, threshold = 1, stop_after = 1",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "exact-svt-5",
        "kind = \"exact-svt-5\", epsilon = 1, threshold = 1",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "exact-svt-6",
        "kind = \"exact-svt-6\", epsilon = 1, threshold = 1",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
    (
        "group-by-keys",
        "kind = \"stable-histogram\", column = \"word\", epsilon = 1, threshold = \"forgotten\"",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "exact-group-by-keys",
        "kind = \"exact-stable-histogram\", column = \"word\", epsilon = 1, releases = \"all\"",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "stable-at-least",
        "kind = \"stable-histogram\", column = \"word\", epsilon = 1, delta = 0.0135, threshold = \"at-least\"",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1, delta = 0.0135",
    ),
    (
        "exact-stable-at-least",
        "kind = \"exact-stable-histogram\", column = \"word\", epsilon = 1, threshold = 6, releases = \"at-least\"",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1, delta = 0.0019",
    ),
    (
        "stable-substitution",
        "kind = \"stable-histogram\", column = \"word\", epsilon = 1, delta = 0.0135",
        "\"substitution\"",
        WORDS,
        "epsilon = 1, delta = 0.0135",
    ),
    (
        "count-understated",
        "kind = \"count\", where = { column = \"word\", equals = \"b\" }, noise = \"laplace\", epsilon = 1, sensitivity = 0.5",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "histogram-substitution",
        "kind = \"histogram\", column = \"word\", cells = [\"a\", \"b\", \"c\"], noise = \"laplace\", epsilon = 1, sensitivity = 1",
        "\"substitution\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "sum-forgotten",
        "kind = \"sum\", column = \"age\", lower = 0, upper = 100, clamping = \"forgotten\", noise = \"laplace\", epsilon = 1, sensitivity = 100",
        "\"add-remove\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "sum-after",
        "kind = \"sum\", column = \"age\", lower = 0, upper = 100, clamping = \"after\", noise = \"laplace\", epsilon = 1, sensitivity = 50",
        "\"add-remove\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "sum-range-for-add-remove",
        "kind = \"sum\", column = \"age\", lower = 50, upper = 100, noise = \"laplace\", epsilon = 1, sensitivity = 50",
        "\"add-remove\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "mean-forgotten",
        "kind = \"mean\", column = \"age\", lower = 0, upper = 100, clamping = \"forgotten\", rows = 10, noise = \"laplace\", epsilon = 1, sensitivity = 10",
        "\"add-remove\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "mean-after",
        "kind = \"mean\", column = \"age\", lower = 0, upper = 100, clamping = \"after\", noise = \"laplace\", epsilon = 1, sensitivity = 10",
        "\"substitution\"",
        "columns = { age = { lower = -1000, upper = 1000 } }, size = 10",
        "epsilon = 1",
    ),
    (
        "mean-private-n",
        "kind = \"mean\", column = \"age\", lower = 0, upper = 100, noise = \"laplace\", epsilon = 1, sensitivity = 10",
        "\"add-remove\"",
        "columns = { age = { lower = -1000, upper = 1000 } }, size = [1, 10]",
        "epsilon = 1",
    ),
    (
        "mean-bounds-of-data",
        "kind = \"mean\", column = \"age\", bounds = \"data\", noise = \"laplace\", epsilon = 1",
        "\"substitution\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "sum-bounds-of-data",
        "kind = \"sum\", column = \"age\", bounds = \"data\", noise = \"laplace\", epsilon = 1",
        "\"substitution\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "median-candidates-of-data",
        "kind = \"median\", column = \"age\", candidates = \"data\", epsilon = 1, sensitivity = 1",
        "\"substitution\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "median-factor-1",
        "kind = \"median\", column = \"age\", lower = 0, upper = 10, epsilon = 1, sensitivity = 0.5, factor = 1",
        "\"add-remove\"",
        "columns = { age = { lower = 0, upper = 10, integers = true } }, size = [1, 20]",
        "epsilon = 1",
    ),
];

/// Right ones, each claimed as tightly as its formula allows.
#[allow(dead_code, reason = "each test file looks at one of the lists")]
pub const RIGHT: &[Line] = &[
    (
        "laplace",
        "kind = \"laplace\", epsilon = 1, sensitivity = 1",
        "{ l1 = 1.0 }",
        TEN,
        "epsilon = 1",
    ),
    (
        "laplace-wide",
        "kind = \"laplace\", epsilon = 1, sensitivity = 1",
        "{ l1 = 1.0 }",
        "lower = -1e300, upper = 1e300, size = [1, 3]",
        "epsilon = 1",
    ),
    ("laplace-of-a-vector", "kind = \"laplace\", scale = 10", LINF, TEN, "epsilon = 1"),
    (
        "gaussian",
        "kind = \"gaussian\", epsilon = 1, delta = 1e-5, sensitivity = 1",
        "{ l2 = 1.0 }",
        TEN,
        "epsilon = 1, delta = 1e-5",
    ),
    (
        "gaussian-wide",
        "kind = \"gaussian\", sigma = 1",
        "{ l2 = 1.0 }",
        "lower = -1e300, upper = 1e300, size = [1, 3]",
        "mu = 1",
    ),
    (
        "gaussian-classic",
        "kind = \"gaussian\", epsilon = 1, delta = 1e-5, sensitivity = 1, calibration = \"classic\"",
        "{ l2 = 1.0 }",
        TEN,
        "epsilon = 1, delta = 1e-5",
    ),
    (
        "discrete-laplace",
        "kind = \"discrete-laplace\", epsilon = 1, sensitivity = 1",
        "{ l1 = 1.0 }",
        WHOLE,
        "epsilon = 1",
    ),
    (
        "discrete-laplace-of-counts",
        "kind = \"discrete-laplace\", epsilon = 1, sensitivity = 1",
        "\"histogram\"",
        "lower = 0, upper = 1000, integers = true, size = [1, 10]",
        "epsilon = 1",
    ),
    (
        "discrete-gaussian",
        "kind = \"discrete-gaussian\", sigma = 1",
        "{ l2 = 1.0 }",
        WHOLE,
        "rho = 0.5",
    ),
    (
        "truncated-geometric",
        "kind = \"truncated-geometric\", epsilon = 0.1, n = 5",
        "{ l1 = 1.0 }",
        "lower = 0, upper = 5, integers = true, size = 1",
        "epsilon = 0.1178",
    ),
    (
        "snapping",
        "kind = \"snapping\", epsilon = 1, bound = 100",
        LINF,
        "lower = -200, upper = 200, size = 1",
        "epsilon = 1",
    ),
    (
        "randomized-response",
        "kind = \"randomized-response\", truth = 0.5",
        "\"substitution\"",
        "values = [0, 1], size = [1, 10]",
        "epsilon = 1.0986122886681098",
    ),
    (
        "k-ary-randomized-response",
        "kind = \"k-ary-randomized-response\", answers = 4, truth = 0.5",
        "\"substitution\"",
        "values = [0, 1, 2, 3], size = [1, 10]",
        "epsilon = 1.6094379124341003",
    ),
    (
        "one-time-rappor",
        "kind = \"one-time-rappor\", f = 0.95",
        "\"substitution\"",
        "lower = 0, upper = 1000000, integers = true, size = 1",
        "epsilon = 0.8007",
    ),
    (
        "rappor",
        "kind = \"rappor\", f = 0.75, set = 0.55, unset = 0.45",
        "\"substitution\"",
        "lower = 0, upper = 1000000, integers = true, size = 1",
        "epsilon = 0.4001",
    ),
    (
        "laplace-parallel",
        "kind = \"laplace-parallel\", copies = 20, scale = 200",
        "{ l1 = 1.0 }",
        ONE,
        "epsilon = 0.1",
    ),
    (
        "exponential-mechanism",
        "kind = \"exponential-mechanism\", epsilon = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    ("permute-and-flip", "kind = \"permute-and-flip\", epsilon = 1", LINF, TEN, "epsilon = 1"),
    (
        "noisy-max-1",
        "kind = \"noisy-max\", noise = \"laplace\", epsilon = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "noisy-max-2",
        "kind = \"noisy-max\", noise = \"exponential\", epsilon = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "svt-1",
        "kind = \"svt-1\", epsilon = 1, threshold = 0.5, stop_after = 1",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "svt-2",
        "kind = \"svt-2\", epsilon = 1, threshold = 0.5, stop_after = 2",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "numerical-svt",
        "kind = \"numerical-svt\", epsilon = 1, threshold = 1, stop_after = 2",
        LINF,
        TEN,
        "epsilon = 1",
    ),
    (
        "count",
        "kind = \"count\", where = { column = \"word\", equals = \"b\" }, noise = \"laplace\", epsilon = 1, sensitivity = 1",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "histogram",
        "kind = \"histogram\", column = \"word\", cells = [\"a\", \"b\", \"c\"], noise = \"laplace\", epsilon = 1, sensitivity = 2",
        "\"substitution\"",
        WORDS,
        "epsilon = 1",
    ),
    (
        "sum",
        "kind = \"sum\", column = \"age\", lower = 0, upper = 100, noise = \"laplace\", epsilon = 1, sensitivity = 100",
        "\"add-remove\"",
        AGES,
        "epsilon = 1",
    ),
    (
        "mean",
        "kind = \"mean\", column = \"age\", lower = 0, upper = 100, noise = \"laplace\", epsilon = 1, sensitivity = 10",
        "\"substitution\"",
        "columns = { age = { lower = -1000, upper = 1000 } }, size = 10",
        "epsilon = 1",
    ),
    (
        "median",
        "kind = \"median\", column = \"age\", lower = 0, upper = 10, epsilon = 1, sensitivity = 0.5",
        "\"add-remove\"",
        "columns = { age = { lower = 0, upper = 10, integers = true } }, size = [1, 20]",
        "epsilon = 1",
    ),
    (
        "stable-histogram",
        "kind = \"stable-histogram\", column = \"word\", epsilon = 1, delta = 0.0135",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1, delta = 0.0135",
    ),
    (
        "exact-stable-histogram",
        "kind = \"exact-stable-histogram\", column = \"word\", epsilon = 1, threshold = 6",
        "\"add-remove\"",
        WORDS,
        "epsilon = 1, delta = 0.0019",
    ),
    ("exact-noisy-max", "kind = \"exact-noisy-max\", epsilon = 1", LINF, WHOLE, "epsilon = 1"),
    (
        "exact-svt-1",
        "kind = \"exact-svt-1\", epsilon = 1, threshold = 1, stop_after = 1",
        LINF,
        WHOLE,
        "epsilon = 1",
    ),
];
