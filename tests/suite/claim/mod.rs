mod conversions;
