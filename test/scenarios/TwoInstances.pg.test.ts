// Every sequence of requests with two instances of the service on one PostgreSQL database. The races run with three.
import { serviceInstances } from "#test/adapters/postgres/ServiceInstances.ts"
import { sequenceScenarios } from "./ScenarioLists.ts"

sequenceScenarios(serviceInstances(2))
