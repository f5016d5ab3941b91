/** The documents of the journey through what ODCS 3.2 and ODPS 1.1 add. */

export const TEAM = 'passenger-care'
export const CONTRACT = 'complaints'
export const SUCCESSOR = 'feedback'
export const PRODUCT = 'complaint-analysis'
export const READER = 'punctuality'

/** A contract with every addition of ODCS 3.2. */
export const CONTRACT_TEXT = `apiVersion: v3.2.0
kind: DataContract
id: ${CONTRACT}
name: Complaints
version: 1.0.0
status: active
team:
  name: ${TEAM}
description:
  purpose: Every complaint of a passenger, with its embedding.
context:
  instructions: Count complaints by the day of the journey. \${channel} is filled since 2024.
  verifiedStatements:
    - question: How many complaints were there last month?
      answer: Count the rows of complaint with a journey_day in the month.
    - question: Which line has the most complaints?
  constraints:
    - constraint: Do not join passengers by their name.
servers:
  - server: production
    type: postgresql
    host: \${DB_HOST}
    port: \${DB_PORT:-5432}
    database: care
    schema: public
schema:
  - name: complaint
    physicalType: table
    description: One row for each complaint.
    synonyms:
      - synonym: grievance
        locale: en-GB
        source: glossary
    context:
      instructions: Use this model for reports.
      verifiedStatements:
        - question: Is a complaint ever deleted?
          answer: No, it is closed.
    properties:
      - name: complaint_id
        logicalType: string
        required: true
        primaryKey: true
      - name: journey_day
        logicalType: date
      - name: old_reason
        logicalType: string
        deprecated: true
        description: Use state instead. It is empty since 2025.
      - name: state
        logicalType: string
        synonyms:
          - synonym: disposition
            description: The word of the call centre.
        enum:
          - value: O
            label: Open
            description: No answer was sent yet.
          - value: C
            label: Closed
      - name: embedding
        logicalType: vector
        logicalTypeOptions:
          dimensions: 1536
          elementType: float32
          normalized: true
          distanceMetric: cosine
          embeddingModel: text-embed
          embeddingModelVersion: "3"
      - name: complaints_per_day
        logicalType: number
        semanticType: measure
        transformLogic: count(*) / count(distinct journey_day)
      - name: journey_month
        logicalType: date
        semanticType: dimension
        transformLogic: date_trunc('month', journey_day)
  - name: complaint_archive
    physicalType: table
    deprecated: true
    description: Read complaint instead. The archive ends in March.
    properties:
      - name: complaint_id
        logicalType: string
`

/** The contract that replaces an output port. */
export const SUCCESSOR_TEXT = `apiVersion: v3.2.0
kind: DataContract
id: ${SUCCESSOR}
name: Passenger feedback
version: 1.0.0
status: active
team:
  name: ${TEAM}
`

/** A data product with every addition of ODPS 1.1: deprecated, and replaced by the product \`replacedBy\`. */
export const PRODUCT_TEXT = `apiVersion: v1.1.0
kind: DataProduct
id: ${PRODUCT}
name: Complaint analysis
deprecated: true
synonyms:
  - synonym: Grievance board
status: active
team:
  name: ${TEAM}
description:
  purpose: Complaints by line and month. It ends in March.
context:
  instructions: Prefer the monthly numbers.
  verifiedStatements:
    - question: Does it have complaints of freight customers?
      answer: No, only of passengers.
  constraints:
    - constraint: Do not compare years before 2020.
customProperties:
  - property: replacedBy
    value: ${READER}
outputPorts:
  - deprecated: true
    name: complaints
    version: 1.0.0
    description: Read the feedback instead.
    type: tables
    contractId: ${CONTRACT}
    synonyms:
      - synonym: grievances
    context:
      instructions: Read it at night.
    customProperties:
      - property: location
        value: s3://\${BUCKET}/complaints
      - property: replacedBy
        value: ${SUCCESSOR}
`

/** A data product that reads the deprecated port. */
export const READER_TEXT = `apiVersion: v1.1.0
kind: DataProduct
id: ${READER}
name: Punctuality
status: active
team:
  name: ${TEAM}
inputPorts:
  - name: complaints
    version: 1.0.0
    contractId: ${CONTRACT}
`
