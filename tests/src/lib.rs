//! Fixtures and drivers shared by the tests.
