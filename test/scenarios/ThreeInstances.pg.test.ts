// The races with three instances of the service on one PostgreSQL database.
import { serviceInstances } from "#test/adapters/postgres/ServiceInstances.ts"
import { raceScenarios } from "./ScenarioLists.ts"

raceScenarios(serviceInstances(3))
