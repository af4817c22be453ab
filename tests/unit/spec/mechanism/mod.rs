use super::*;
use toml::de::DeTable;

#[test]
fn parameters_survive_the_way_to_json_and_back() {
    let written = "a = 1\nb = 1.0\nc = inf\nd = -inf\ne = \"text\"\nf = [1, 2.5]\n\
                   g = { column = \"vote\", equals = 1 }\nh = true\ni = 1_000_000\nj = 0x10\n";
    let table = DeTable::parse(written).unwrap();
    let back = catalog::to_toml(&to_json(&DeValue::Table(table.into_inner()))).unwrap();
    assert_eq!(back, toml::Value::Table(toml::from_str(written).unwrap()));
}
