// The reporter of `npm run check`: remembers which test files passed, beside what they read (passed.cjs).
module.exports = require('./passed.cjs').PassedReporter;
