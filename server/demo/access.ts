import type { ConsumerType } from '../agreements/agreement.ts'
import type { ReportName } from '../agreements/provisioning.ts'

// The access agreements of the demo: one in each state, and one for every consumer whose usage is reported.

/** A decision on an agreement of the demo, by the part of an address before the @. */
interface DemoDecision {
  daysAgo: number
  by: string
  reason?: string
}

/** A report of a connector. */
interface DemoReport {
  name: ReportName
  daysAgo: number
  diagnostics?: string
}

/** An access agreement of the demo. Days before today are negative in `from` and `to`. */
export interface DemoAgreement {
  id: string
  product: string
  port: string
  /** The id of a team or data product, or the part of a person's address before the @. */
  consumer: { type: ConsumerType; id: string }
  purpose: string
  role?: string
  requested: { daysAgo: number; by: string }
  approved?: DemoDecision
  rejected?: DemoDecision
  canceled?: DemoDecision
  /** The first day of access; absent = the day of the approval. */
  from?: number
  /** The day on which access ends; absent = it does not end. */
  to?: number
  platform?: string
  reports?: readonly DemoReport[]
}

const team = (id: string) => ({ type: 'team', id }) as const
const product = (id: string) => ({ type: 'dataproduct', id }) as const
const person = (id: string) => ({ type: 'user', id }) as const

/** Returns the reports of a connector that granted access on a day. */
function granted(daysAgo: number): DemoReport[] {
  return [
    { name: 'provisioning-started', daysAgo },
    { name: 'provisioning-succeeded', daysAgo: daysAgo - 0.001 },
  ]
}

const OPEN: readonly DemoAgreement[] = [
  {
    id: 'customers-for-dunning',
    product: 'customer-master',
    port: 'customers',
    consumer: team('finance'),
    purpose: 'Group open invoices by customer and segment for the weekly dunning run.',
    role: 'finance-reader',
    requested: { daysAgo: 2.2, by: 'matteo.brivio' },
  },
  {
    id: 'energy-for-emissions',
    product: 'locomotive-energy',
    port: 'readings',
    consumer: product('shipment-emissions'),
    purpose: 'Compute the emissions of a shipment from the energy that its trains used.',
    role: 'emissions-model',
    requested: { daysAgo: 0.3, by: 'aurelie.fontenoy' },
  },
  {
    id: 'delays-for-duty-planning',
    product: 'train-movements',
    port: 'delays-daily',
    consumer: team('crew-and-safety'),
    purpose: 'Plan reserves for duties on trains that are often late, from the next timetable on.',
    role: 'duty-planner',
    requested: { daysAgo: 3.1, by: 'jorrit.wael' },
    approved: { daysAgo: 1.4, by: 'ilka.brandauer' },
    from: 6,
    to: 371,
  },
]

const ACTIVE: readonly DemoAgreement[] = [
  {
    id: 'delays-for-punctuality',
    product: 'train-movements',
    port: 'delays-daily',
    consumer: product('customer-punctuality'),
    purpose: 'Compute the punctuality that each customer sees in the monthly report.',
    role: 'customer-punctuality',
    requested: { daysAgo: 28.6, by: 'noemi.castellani' },
    approved: { daysAgo: 27.9, by: 'ilka.brandauer' },
    to: 337,
    platform: 'postgres',
    reports: granted(27.8),
  },
  {
    id: 'journeys-for-customer-logistics',
    product: 'wagon-journeys',
    port: 'journeys',
    consumer: team('customer-logistics'),
    purpose: 'Answer questions of customers about wagons that are late or empty.',
    role: 'fleet-analyst',
    requested: { daysAgo: 29.4, by: 'noemi.castellani' },
    approved: { daysAgo: 28.8, by: 'oriol.casademont' },
    to: 10,
    platform: 'postgres',
    reports: granted(28.7),
  },
  {
    id: 'moves-for-safety',
    product: 'terminal-handling',
    port: 'moves',
    consumer: team('crew-and-safety'),
    purpose: 'Find the moves before an incident at a crane or a gate.',
    role: 'incident-desk',
    requested: { daysAgo: 26.3, by: 'piroska.nemeth' },
    approved: { daysAgo: 25.2, by: 'femke.oudshoorn' },
    platform: 'kafka',
    reports: granted(25.1),
  },
  {
    id: 'invoices-for-customer-service',
    product: 'freight-invoices',
    port: 'invoices',
    consumer: team('customer-logistics'),
    purpose: 'Show the invoices of a consignment to customer service when a customer calls.',
    role: 'customer-service',
    requested: { daysAgo: 4.5, by: 'dragan.ilic' },
    approved: { daysAgo: 3.6, by: 'yannick.terlinden', reason: 'Without the margin columns.' },
    to: 180,
    platform: 'snowflake',
    reports: [
      { name: 'provisioning-started', daysAgo: 3.5 },
      {
        name: 'provisioning-failed',
        daysAgo: 3.499,
        diagnostics: 'Role CUSTOMER_SERVICE does not exist in the account velmora-finance.',
      },
    ],
  },
  {
    id: 'journeys-for-dispatch-renewed',
    product: 'wagon-journeys',
    port: 'journeys',
    consumer: person('pavel.hruska'),
    purpose: 'Find empty wagons near the next train.',
    role: 'dispatcher',
    requested: { daysAgo: 12.5, by: 'pavel.hruska' },
    approved: {
      daysAgo: 11.6,
      by: 'oriol.casademont',
      reason: 'Renewed for the winter timetable.',
    },
    from: -8,
    to: 82,
    platform: 'postgres',
    reports: granted(7.9),
  },
]

const ENDED: readonly DemoAgreement[] = [
  {
    id: 'journeys-for-dispatch',
    product: 'wagon-journeys',
    port: 'journeys',
    consumer: person('pavel.hruska'),
    purpose: 'Find empty wagons near the next train.',
    role: 'dispatcher',
    requested: { daysAgo: 30.2, by: 'pavel.hruska' },
    approved: { daysAgo: 29.3, by: 'oriol.casademont' },
    to: -8,
    platform: 'postgres',
    reports: [
      ...granted(29.2),
      { name: 'deprovisioning-started', daysAgo: 7.8 },
      { name: 'deprovisioning-succeeded', daysAgo: 7.799 },
    ],
  },
  {
    id: 'parties-for-dispatch',
    product: 'consignment-notes',
    port: 'parties',
    consumer: person('pavel.hruska'),
    purpose: 'Call the consignee when a wagon arrives at night.',
    role: 'dispatcher',
    requested: { daysAgo: 10.4, by: 'pavel.hruska' },
    rejected: {
      daysAgo: 9.2,
      by: 'piet.laagland',
      reason:
        'Names and numbers of contacts stay with customer service, which answers at night too. The station of the consignee is in the port consignments.',
    },
  },
  {
    id: 'bookings-for-finance',
    product: 'gate-slots',
    port: 'bookings',
    consumer: team('finance'),
    purpose: 'Invoice hauliers who booked a slot and did not come.',
    role: 'finance-reader',
    requested: { daysAgo: 27.4, by: 'matteo.brivio' },
    approved: { daysAgo: 26.6, by: 'femke.oudshoorn' },
    canceled: {
      daysAgo: 5.3,
      by: 'gerlinde.pacher',
      reason: 'Slots that were missed are no longer invoiced.',
    },
  },
]

/** Agreements without a story: data products read each other, and their usage names these. */
const BETWEEN_PRODUCTS: readonly DemoAgreement[] = [
  readBy('wagon-journeys', 'train-movements', 'running-events', 'kafka', {
    by: 'jana.petrikova',
    approver: 'ilka.brandauer',
    purpose: 'Know when each train of a journey departed and arrived.',
  }),
  readBy('driver-hours', 'train-movements', 'running-events', 'kafka', {
    by: 'jorrit.wael',
    approver: 'ilka.brandauer',
    purpose: 'Compare the planned end of a duty with the arrival of the train.',
  }),
  readBy('wagon-journeys', 'consignment-notes', 'consignments', 'postgres', {
    by: 'jana.petrikova',
    approver: 'piet.laagland',
    purpose: 'Know which consignment a wagon carried.',
  }),
  readBy('arrival-forecast', 'wagon-journeys', 'journeys', 'postgres', {
    by: 'aurelie.fontenoy',
    approver: 'oriol.casademont',
    purpose: 'Learn how long a wagon takes between two stations.',
  }),
  readBy('terminal-occupancy', 'wagon-journeys', 'yard-dwell', 's3', {
    by: 'radu.ionescu',
    approver: 'oriol.casademont',
    // The port is younger than its data product.
    daysAgo: 2.4,
    purpose: 'Compare the occupancy of terminals with that of the yards around them.',
  }),
  readBy('freight-invoices', 'customer-master', 'customers', 'postgres', {
    by: 'matteo.brivio',
    approver: 'piet.laagland',
    purpose: 'Put the customer number and the payment terms on invoices.',
  }),
]

/** The access agreements of the demo. */
export const AGREEMENTS: readonly DemoAgreement[] = [
  ...OPEN,
  ...ACTIVE,
  ...ENDED,
  ...BETWEEN_PRODUCTS,
]

function readBy(
  reader: string,
  provider: string,
  port: string,
  platform: string,
  {
    by,
    approver,
    purpose,
    daysAgo = 31.7,
  }: { by: string; approver: string; purpose: string; daysAgo?: number },
): DemoAgreement {
  return {
    id: `${port.replaceAll('_', '-')}-for-${reader}`,
    product: provider,
    port,
    consumer: product(reader),
    purpose,
    role: reader,
    requested: { daysAgo: daysAgo + 0.4, by },
    approved: { daysAgo, by: approver },
    platform,
    reports: granted(daysAgo - 0.1),
  }
}
