#!/usr/bin/env node
'use strict'

const { forkOwned } = require('owned-spawn')

const worker = forkOwned('worker.js', [])
worker.on('message', (message) => console.log(message))
