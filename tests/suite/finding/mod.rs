mod value;
