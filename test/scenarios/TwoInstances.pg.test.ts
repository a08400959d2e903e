// Every scenario with two instances of the service on one PostgreSQL database.
import { serviceInstances } from "#test/postgres/ServiceInstances.ts"
import { everyScenario } from "./ScenarioLists.ts"

everyScenario(serviceInstances(2))
