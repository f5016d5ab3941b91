/** The mark of the product: an open book over water. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="shrink-0">
      <rect width="32" height="32" rx="7" className="fill-accent-solid" />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M8 9.5c3-1.4 5.6-1.2 8 .6 2.4-1.8 5-2 8-.6V20c-3-1.4-5.6-1.2-8 .6-2.4-1.8-5-2-8-.6Z" />
        <path d="M16 10v10.5M7 24.5c1.5 1 3 1 4.5 0s3-1 4.5 0 3 1 4.5 0 3-1 4.5 0" />
      </g>
    </svg>
  )
}
