// User and password of the throw-away server. They are no secrets: it listens on loopback and lives for one test run.
export const USER = "postgres"
export const PASSWORD = "postgres"
