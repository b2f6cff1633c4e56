"""The formats of toulbar2, which solves networks of cost functions: hard ones only, for a table has no other."""
