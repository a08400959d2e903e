// What several instances count each for itself, with one of them on a PostgreSQL database.
import { fleetOf } from "#test/postgres/ServiceFleet.ts"
import { lonelyScenarios } from "./EveryScenario.ts"

lonelyScenarios(fleetOf(1))
