use super::{CsvColumns, File, affordable};
use std::sync::atomic::AtomicBool;

#[test]
fn the_coins_do_not_run_out() {
    assert_eq!(affordable(0), 0);
    let mut before = 0;
    for scarcer in [10, 100, 1_000, 10_000, 1_000_000, 100_000_000] {
        let trials = affordable(scarcer);
        assert!(trials >= before && trials < 2 * scarcer);
        before = trials;
        let t = scarcer as f64 - 8.0 - trials as f64 / 2.0;
        if trials > 0 {
            let runs_out = 2.0 * (-2.0 * t * t / trials as f64).exp();
            assert!(runs_out <= 1e-12, "{scarcer}: {trials}, {runs_out}");
        }
    }
    assert!(affordable(100_000_000) > 199_890_000);
}

#[test]
fn arrays_in_fortran_order_are_read_run_by_run() {
    let folder = tempfile::tempdir().unwrap();
    let runs = 20_000_u32;
    let entry = |run: u32, column: u32| f64::from(run) + f64::from(column) / 4.0;
    // Column by column, as numpy.save writes the array of pandas' to_numpy.
    let columns: Vec<f64> =
        (0..3).flat_map(|column| (0..runs).map(move |run| entry(run, column))).collect();
    let header = format!("{{'descr': '<f8', 'fortran_order': True, 'shape': ({runs}, 3), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(columns.iter().flat_map(|x| x.to_le_bytes()));
    let path = folder.path().join("frame.npy");
    std::fs::write(&path, bytes).unwrap();
    let file = File::new(&path, &CsvColumns::Only).unwrap();
    let mut run = 0;
    let read = file.pass(
        &AtomicBool::new(false),
        || true,
        |batch| {
            for outcome in batch.iter() {
                let expected = [0, 1, 2].map(|column| entry(run, column));
                assert_eq!(format!("{outcome:?}"), format!("Vector({expected:?})"));
                run += 1;
            }
        },
    );
    assert_eq!((read.unwrap(), run), (u64::from(runs), runs));
}
