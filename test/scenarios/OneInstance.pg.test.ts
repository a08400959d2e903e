// What each instance counts for itself, with one instance of the service on a PostgreSQL database.
import { serviceInstances } from "#test/adapters/postgres/ServiceInstances.ts"
import { oneInstanceScenarios } from "./ScenarioLists.ts"

oneInstanceScenarios(serviceInstances(1))
