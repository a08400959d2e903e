// What several instances count each for itself, with one of them on a PostgreSQL database.
import { fleetOf } from "#test/postgres/ServiceFleet.ts"
import { loneInstanceScenarios } from "./EveryScenario.ts"

loneInstanceScenarios(fleetOf(1))
