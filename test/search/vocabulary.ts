/** The words of a generated mesh: the data of a company that ships and sells things. */

/** A subject of the company's data. */
export interface Entity {
  /** Its words, in singular. */
  words: readonly string[]
  domain: string
  /** Columns that only this entity has. */
  columns: readonly string[]
}

/** The entities by domain: a name, and the columns that only it has. */
const ENTITIES_OF: Readonly<Record<string, readonly string[]>> = {
  billing: [
    'invoice: vat_rate, net_amount, dunning_level',
    'credit note: refund_reason, credited_amount',
    'payment: iban_checksum, settlement_batch, chargeback_flag',
    'subscription: renewal_cycle, trial_ends_on',
    'ledger entry: debit_account, posting_period',
  ],
  sales: [
    'customer order: basket_value, promised_on, order_channel',
    'quotation: discount_ladder, valid_through',
    'lead: lead_score, nurture_stage',
    'opportunity: win_probability, sales_stage',
    'customer: loyalty_tier, birth_year, newsletter_opt_in',
  ],
  logistics: [
    'shipment: tracking_code, gross_weight, incoterm',
    'container: seal_number, tare_weight',
    'route: waypoint_list, toll_cost',
    'warehouse slot: aisle_label, pick_sequence',
    'customs declaration: tariff_heading, duty_amount',
  ],
  fleet: [
    'locomotive: traction_power, wheelset_wear',
    'wagon: axle_load, brake_type',
    'maintenance order: torque_setting, spare_part_kit',
    'fuel card: pump_receipt, odometer_reading',
    'driver shift: rest_minutes, depot_code',
  ],
  marketing: [
    'campaign: click_through, creative_variant',
    'newsletter: bounce_rate, subject_line',
    'web session: landing_page, scroll_depth',
    'coupon: redemption_limit, coupon_code',
    'survey answer: promoter_score, free_text_sentiment',
  ],
  people: [
    'employee: hire_source, pension_scheme',
    'absence: sick_note_received, absence_kind',
    'training: certificate_level, course_provider',
    'payroll run: tax_bracket, overtime_minutes',
    'applicant: interview_round, salary_expectation',
  ],
  risk: [
    'claim: loss_estimate, adjuster_remark',
    'policy: coverage_ceiling, deductible_band',
    'fraud alert: anomaly_weight, device_fingerprint',
    'counterparty: credit_rating, sanction_hit',
    'audit finding: remediation_owner, severity_grade',
  ],
  energy: [
    'meter reading: kilowatt_peak, meter_serial',
    'grid outage: feeder_line, restored_after',
    'solar plant: inverter_count, panel_tilt',
    'tariff plan: standing_charge, peak_window',
    'charging station: plug_kind, charging_duration',
  ],
}

/** All entities. */
export const ENTITIES: readonly Entity[] = Object.entries(ENTITIES_OF).flatMap(([domain, lines]) =>
  lines.map((line) => {
    const [name = '', columns = ''] = line.split(': ')
    return { words: name.split(' '), domain, columns: columns.split(', ') }
  }),
)

/** Aspects of an entity that a product shows. */
export const ASPECTS = [
  'overview',
  'daily snapshot',
  'history',
  'events',
  'forecast',
  'quality report',
  'enriched',
  'realtime feed',
  'benchmark',
  'segmentation',
  'reconciled',
  'archive',
  'golden record',
  'heatmap',
] as const

const CITIES = [
  'Hamburg',
  'Zürich',
  'São Paulo',
  'Kraków',
  'Malmö',
  'Besançon',
  'Logroño',
  'Łódź',
  'Tromsø',
  'Antwerp',
  'Rotterdam',
  'Trieste',
  'Valparaíso',
  'Montréal',
  'Busan',
  'Durban',
  'Seattle',
  'Mumbai',
]

/** Returns a place: a city, or a depot once there are no more cities. */
export function getPlace(index: number): string {
  return CITIES[index] ?? `Depot ${index}`
}

/** Purposes in descriptions; each is used by few resources. */
export const PURPOSES = [
  'Feeds the churn prediction of the retention desk',
  'Answers the supervisory questionnaire of the regulator',
  'Drives the replenishment proposals of every kiosk',
  'Explains margin erosion to the steering committee',
  'Trains the computer vision that grades scratches',
  'Schedules the overnight crane rotation',
  'Estimates carbon footprints for the sustainability almanac',
  'Detects ghost bookings before the cutoff',
  'Ranks upsell candidates for the telephone desk',
  'Simulates storm surges along the quay',
  'Balances the working capital of subsidiaries',
  'Supports litigation with an immutable paper trail',
  'Calibrates the dwell time model of the yard',
  'Compares lighthouse branches with their twins',
  'Prepares the shareholder letter every quarter',
  'Steers the vaccination of the guard dogs',
] as const

/** Names of teams, one for each entity. */
export const TEAMS = [
  'Albatross',
  'Badger',
  'Capybara',
  'Dolphin',
  'Egret',
  'Falcon',
  'Gazelle',
  'Heron',
  'Ibex',
  'Jackdaw',
  'Kestrel',
  'Lynx',
  'Marten',
  'Narwhal',
  'Ocelot',
  'Penguin',
  'Quokka',
  'Raccoon',
  'Salamander',
  'Tapir',
  'Urchin',
  'Vulture',
  'Walrus',
  'Xerus',
  'Yak',
  'Zebra',
  'Armadillo',
  'Beaver',
  'Chameleon',
  'Dingo',
  'Echidna',
  'Flamingo',
  'Gecko',
  'Hedgehog',
  'Iguana',
  'Jaguar',
  'Koala',
  'Lemur',
  'Manatee',
  'Nightingale',
] as const

/** Tags; each is used by few resources. */
export const TAGS = [
  'sox-relevant',
  'gdpr:special-category',
  'board_metric',
  'nightly-batch',
  'externallyShared',
  'sunset-2027',
  'ml-feature',
  'dashboard-ready',
  'cold_storage',
] as const

/** Sources of assets: the platform, the integration's name and the database. */
export const PLATFORMS = [
  { source: 'postgres', integration: 'Operational Store Lisbon', database: 'opsdb' },
  { source: 'mariadb', integration: 'Legacy Shop', database: 'shopdb' },
  { source: 'iceberg', integration: 'Glacier Lakehouse', database: 'lake' },
] as const

/** Steps of processing: the prefixes of table names. */
export const LAYERS = ['raw', 'stg', 'dim', 'fct', 'mart'] as const
