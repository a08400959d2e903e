// With three instances of the service on one PostgreSQL database, what two of them might get right by chance.
import { fleetOf } from "#test/postgres/ServiceFleet.ts"
import { sharedScenarios } from "./EveryScenario.ts"

sharedScenarios(fleetOf(3))
