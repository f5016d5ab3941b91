import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Where a server listens during development; `npm run dev` serves the pages from their sources.
const SERVER = 'http://localhost:8080'

/** How the pages are built: everything local, nothing inlined, names that change with the content. */
const config = defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // `/assets` is a page.
    assetsDir: 'static',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
  },
  server: {
    // The calls, and not the sources that lie in `web/api`.
    proxy: {
      '^/(api|ui)/(?!.*\\.tsx?(\\?|$))': SERVER,
      '/openapi.json': SERVER,
      '/guides': SERVER,
    },
  },
})

export default config
