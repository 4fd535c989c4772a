#!/usr/bin/env node
import('owned-spawn/cli').then(({ dispatch }) => dispatch(import.meta.url, (url) => import(url)));
