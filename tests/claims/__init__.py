"""The course page's claims as tests: one table (claims.yaml), one test per numeric row of it, and ERRATA.md made from it."""
