"""The language server: F2CSP and other problem files in editors."""
