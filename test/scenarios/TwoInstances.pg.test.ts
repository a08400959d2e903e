// Every scenario with two instances of the service on one PostgreSQL database.
import { fleetOf } from "#test/postgres/ServiceFleet.ts"
import { everyScenario } from "./EveryScenario.ts"

everyScenario(fleetOf(2))
