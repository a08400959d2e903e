import { serviceInstances } from "#test/postgres/ServiceInstances.ts"
import { connectionsSuite } from "./Connections.suite.ts"

connectionsSuite(serviceInstances(3))
