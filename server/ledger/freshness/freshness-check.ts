/** The newest instant in the data of a model, as a test found it. */
export interface FreshnessCheck {
  /** The name of the model on its platform, or in the contract. */
  model: string
  latestAt: string
}
