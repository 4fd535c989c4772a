#!/usr/bin/env node
'use strict'

const { fork } = require('child_process')

const worker = fork('worker.js', [], { detached: true })
worker.on('message', (message) => console.log(message))
