use super::*;
use std::io::Write;

const ROWS: u32 = 150;

/// Scores of members (odd rows) and others, and their labels.
fn rows() -> (Vec<f64>, Vec<bool>) {
    let scores = (0..ROWS * 2).map(|row| f64::from(row * 7 % 101) / 4.0).collect();
    (scores, (0..ROWS * 2).map(|row| row % 2 == 1).collect())
}

/// An array as numpy.save writes it.
fn npy(descr: &str, runs: usize, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({runs},), }}\n");
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), bytes].concat()
}

fn doubles(numbers: &[f64]) -> Vec<u8> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
    npy("<f8", numbers.len(), &bytes)
}

fn bools(labels: &[bool]) -> Vec<u8> {
    let bytes: Vec<u8> = labels.iter().map(|label| u8::from(*label)).collect();
    npy("|b1", labels.len(), &bytes)
}

fn npz(path: &Path, deflated: bool, arrays: &[(&str, Vec<u8>)]) {
    use zip::write::SimpleFileOptions;
    let method = match deflated {
        true => zip::CompressionMethod::Deflated,
        false => zip::CompressionMethod::Stored,
    };
    // numpy writes each array so that it may be larger than 4 GiB.
    let options = SimpleFileOptions::default().compression_method(method).large_file(true);
    let mut archive = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    for (name, bytes) in arrays {
        archive.start_file(format!("{name}.npy"), options).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
}

/// Members and others of a column.
fn groups(files: &ScoreFiles, columns: &[&str]) -> Result<Vec<[Vec<f64>; 2]>, String> {
    let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
    let both = |scores: Scores| [scores.members().to_vec(), scores.non_members().to_vec()];
    files.read(&columns).map(|all| all.into_iter().map(both).collect())
}

fn expected() -> [Vec<f64>; 2] {
    let (scores, labels) = rows();
    let of = |side: bool| {
        scores.iter().zip(&labels).filter(|(_, label)| **label == side).map(|(x, _)| *x).collect()
    };
    [of(true), of(false)]
}

#[test]
fn every_form_of_a_file_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (scores, labels) = rows();
    let [members, others] = expected();
    let mut csv = "id,loss,who\n".to_owned();
    let mut json = String::new();
    for (row, (score, label)) in scores.iter().zip(&labels).enumerate() {
        csv += &format!("{row},{score},{}\n", if *label { "member" } else { "non-member" });
        json += &format!("{{\"who\": {label}, \"loss\": {score}, \"id\": {row}}}\n");
    }
    std::fs::write(path("t.csv"), csv).unwrap();
    std::fs::write(path("t.jsonl"), json).unwrap();
    std::fs::write(path("m.npy"), doubles(&members)).unwrap();
    std::fs::write(path("o.npy"), doubles(&others)).unwrap();
    let both = |others_name| [("members", doubles(&members)), (others_name, doubles(&others))];
    npz(&path("groups.npz"), false, &both("others"));
    npz(&path("non.npz"), true, &both("non_members"));
    let arrays = [("scores", doubles(&scores)), ("labels", bools(&labels))];
    npz(&path("labels.npz"), true, &arrays);
    let arrays = [("loss", doubles(&scores)), ("who", bools(&labels))];
    npz(&path("named.npz"), false, &arrays);
    npz(&path("one.npz"), false, &[("members", doubles(&members))]);
    let labeled = |name: &str| ScoreFiles::Labeled { table: path(name), label: "who".to_owned() };
    let all = [
        groups(&labeled("t.csv"), &["loss"]),
        groups(&labeled("t.jsonl"), &["loss"]),
        groups(&labeled("named.npz"), &["loss"]),
        groups(&labeled("named.npz"), &[]),
        groups(&ScoreFiles::Apart([path("m.npy"), path("o.npy")]), &[]),
        groups(&ScoreFiles::Apart([path("one.npz"), path("o.npy")]), &[]),
        groups(&ScoreFiles::Archive(path("groups.npz")), &[]),
        groups(&ScoreFiles::Archive(path("non.npz")), &[]),
        groups(&ScoreFiles::Archive(path("labels.npz")), &[]),
    ];
    for (place, found) in all.into_iter().enumerate() {
        assert_eq!(found, Ok(vec![expected()]), "{place}");
    }
    let several = groups(&labeled("t.csv"), &["id", "loss"]).unwrap();
    assert_eq!(several[1], expected());
    assert_eq!(several[0][1][..3], [0.0, 2.0, 4.0]);
}

#[test]
fn archives_and_tables_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (scores, labels) = rows();
    npz(&path("other.npz"), false, &[("a", doubles(&scores)), ("b", doubles(&scores))]);
    let uneven = [("scores", doubles(&scores)), ("labels", bools(&labels[1..]))];
    npz(&path("uneven.npz"), false, &uneven);
    let wrong = [("scores", doubles(&scores)), ("labels", doubles(&scores))];
    npz(&path("wrong.npz"), true, &wrong);
    std::fs::write(path("no.npz"), "1\n2\n").unwrap();
    std::fs::write(path("one.csv"), "loss,who\n1,1\n").unwrap();
    let archive = |name: &str| ScoreFiles::Archive(path(name));
    let table = ScoreFiles::Labeled { table: path("one.csv"), label: "who".to_owned() };
    for (files, columns, words) in [
        (archive("other.npz"), &[][..], "its arrays are `a`, `b`: save numpy.savez(name, members="),
        (archive("uneven.npz"), &[], "different lengths"),
        (archive("wrong.npz"), &[], "wrong.npz:2: the array `labels`: `1.75` does not state"),
        (archive("no.npz"), &[], "write it with numpy.savez"),
        (
            archive("one.csv"),
            &[],
            "give a file of members and one of non-members, or name the column",
        ),
        (table.clone(), &["loss", "loss"], "`loss` is named twice"),
        (table, &["loss"], "there are 1 scores of members"),
    ] {
        let why = groups(&files, columns).unwrap_err();
        assert!(why.contains(words), "{words}: {why}");
    }
}
