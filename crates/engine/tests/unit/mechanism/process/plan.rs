//! Sizes of requests.

use super::*;

#[test]
fn sizes_of_requests_do_not_depend_on_how_busy_the_machine_is() {
    for of_request in [1e-6, 1e-4, 5e-3] {
        assert_eq!(most_runs(200_000, (1e-6, of_request), 2.0), 50, "{of_request}");
    }
    assert_eq!(most_runs(200_000, (1e-6, 0.1), 2.0), 400);
    assert_eq!(most_runs(200_000, (1e-6, 10.0), 2.0), 3_333);
    // Runs of 10 ms to 15 ms.
    assert_eq!(most_runs(1_000_000_000, (0.010, 0.0), 2.0), 128);
    assert_eq!(most_runs(1_000_000_000, (0.015, 0.0), 2.0), 128);
    assert_eq!(most_runs(3, (60.0, 60.0), 1.0), 1);
}
