// Whose the throw-away server is. Nothing secret: it listens on loopback and lives for one test run.
export const USER = "postgres"
export const PASSWORD = "postgres"
