export { listLinkedContracts, readContractGate, readDriftPlan } from './plan-store.ts'
